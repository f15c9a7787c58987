import { describe, expect, test } from 'vitest';
import { importExisting, refusalOf } from '../../../../tools/deploy/adoption.ts';
import type { Existing } from '../../../../tools/deploy/existing.ts';

const table = (TableName: string, key = 'id') => ({
  TableName,
  AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' as const }],
  KeySchema: [{ AttributeName: key, KeyType: 'HASH' as const }],
});

const wanted = {
  stage: 'prod',
  users: { ...table('u'), StreamSpecification: { StreamEnabled: true } },
  directory: { ...table('d'), SSESpecification: { KMSMasterKeyId: 'key' } },
};
const NOTHING: Existing = { hasTables: false, users: undefined, directory: undefined };
const BOTH = {
  ...NOTHING,
  users: { ...table('u'), StreamSpecification: { StreamEnabled: true } },
  directory: { ...table('d'), SSEDescription: { KMSMasterKeyArn: 'key' } },
};

const WAY_OUT = '(docs/runbook.md, "A stack that is gone")';

test.each<[string, Existing, boolean, string | undefined]>([
  ['is new', NOTHING, false, undefined],
  ['has its tables in its stack', { ...BOTH, hasTables: true }, false, undefined],
  ['has its tables in its stack, and is told to adopt them again', { ...BOTH, hasTables: true }, true, undefined],
  ['has lost its stack, and is told to adopt its tables', BOTH, true, undefined],
  [
    'has tables but no stack',
    BOTH,
    false,
    `Tables u and d already exist and belong to no stack: deploy with --adopt to use them for stage prod ${WAY_OUT}.`,
  ],
  ['has nothing to adopt', NOTHING, true, 'There are no tables u and d to adopt: leave out --adopt.'],
  [
    'has only the users table',
    { ...NOTHING, users: table('u') },
    true,
    `Table u exists without d and belongs to no stack: restore the other one, too, or delete this one ${WAY_OUT}.`,
  ],
  [
    'has a table of another version',
    { ...BOTH, directory: table('d', 'pk') },
    true,
    'Table d has other keys, attributes or indexes than this version: adopt it with the version that was deployed last, then deploy this one.',
  ],
  [
    'has a restored table without a stream',
    { ...BOTH, users: { ...table('u'), StreamSpecification: { StreamEnabled: false } } },
    true,
    'Table u has no stream: give it what a restored table lacks (docs/runbook.md, "Restore", step 3), then deploy again.',
  ],
  [
    'has a table with another key',
    { ...BOTH, directory: { ...table('d'), SSEDescription: { KMSMasterKeyArn: 'other' } } },
    true,
    'Table d is encrypted with another key than KMS_KEY: give it this key with "aws dynamodb update-table", then deploy again.',
  ],
  [
    'has a table with a key of KMS that its functions may not use',
    { ...BOTH, users: { ...BOTH.users, SSEDescription: { KMSMasterKeyArn: 'arn' } } },
    true,
    'Table u is encrypted with the KMS key arn: set KMS_KEY to it, or end that with "aws dynamodb update-table --sse-specification Enabled=false --table-name u", then deploy again.',
  ],
])('a stage that %s is deployed, or refused with a solution', (_, found, isAdopting, refusal) => {
  expect(refusalOf(found, { ...wanted, isAdopting })).toBe(refusal);
});

describe('change sets', () => {
  class AwsDeploy {
    readonly own = 'own';
    getCreateChangeSetParams(request: object) {
      return { ...request, own: this.own };
    }
  }

  test('import existing resources, and are otherwise unchanged', () => {
    const deployment = new AwsDeploy();
    importExisting([{}, deployment], 'AwsDeploy');
    expect(deployment.getCreateChangeSetParams({ changeSetType: 'UPDATE' })).toEqual({
      changeSetType: 'UPDATE',
      own: 'own',
      ImportExistingResources: true,
    });
  });

  test('end the deployment with an error if the framework has no plugin that makes them', () => {
    expect(() => importExisting([{}, new AwsDeploy()], 'AwsRollback')).toThrow(
      'The framework no longer makes change sets as this plugin expects',
    );
  });
});
