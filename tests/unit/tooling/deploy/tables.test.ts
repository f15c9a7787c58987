import { describe, expect, test } from 'vitest';
import { leaveOutTables } from '../../../../lib/tooling/deploy/tables.ts';

const OWN = { users: 'own-users', directory: 'own-directory', stream: '' };
const OTHERS = { users: 'others', directory: 'others-directory', stream: '' };
const STREAM = 'arn:aws:dynamodb:eu-central-1:123456789012:table/others/stream/2026-11-21T10:00:00.000';
const ONE_OF_TWO = 'Set both USERS_TABLE and DIRECTORY_TABLE to the names of tables, or neither.';
const OF_ANOTHER = 'USERS_STREAM must be the ARN of a stream of table others.';

const serviceOfTables = () => ({
  functions: {},
  resources: {
    Resources: { UsersTable: { Type: 'T', Properties: {} }, DirectoryTable: { Type: 'T', Properties: {} } },
  },
});

describe('the tables of a stage', () => {
  test.each([
    ['its own', OWN, ['UsersTable', 'DirectoryTable']],
    ['others', OTHERS, []],
    ['others with a stream', { ...OTHERS, stream: STREAM }, []],
  ])('may be %s, and the stack makes only its own', (_, tables, left) => {
    const service = serviceOfTables();
    expect(leaveOutTables(service, tables, 'own')).toBeUndefined();
    expect(Object.keys(service.resources.Resources)).toEqual(left);
  });

  test.each([
    [{ ...OTHERS, directory: 'own-directory' }, ONE_OF_TWO],
    [{ ...OTHERS, users: 'own-users' }, ONE_OF_TWO],
    [{ ...OTHERS, users: '' }, ONE_OF_TWO],
    [{ ...OTHERS, directory: '' }, ONE_OF_TWO],
    [{ ...OWN, stream: STREAM }, 'USERS_STREAM goes with USERS_TABLE and DIRECTORY_TABLE.'],
    [{ ...OTHERS, stream: STREAM.replace('/others/', '/restored/') }, OF_ANOTHER],
    [{ ...OTHERS, stream: 'others' }, OF_ANOTHER],
  ])('must not be %j', (tables, sentence) => {
    const service = serviceOfTables();
    expect(leaveOutTables(service, tables, 'own')).toBe(sentence);
    expect(Object.keys(service.resources.Resources)).toEqual(['UsersTable', 'DirectoryTable']);
  });
});
