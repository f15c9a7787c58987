import { describe, expect, test } from 'vitest';
import { protect } from '../../../../tools/deploy/authentication.ts';
import { leaveOutTables } from '../../../../tools/deploy/otherTables.ts';
import type { Triggered } from '../../../../tools/deploy/triggers.ts';
import { CUSTOM, pluginFor } from '../../../support/deployPlugin.ts';

const KMS_KEY = 'arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab';
/** Why a stage with these settings is not packaged. Undefined if it is. */
function refusalOf(settings: object, command = 'package'): string | undefined {
  try {
    pluginFor(command, settings).hooks.initialize?.();
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}

const authentication = (more: object) => ({ authentication: { ...CUSTOM.authentication, ...more } });
const otherKey = (pattern: RegExp | string, by: string) => ({ kmsKey: KMS_KEY.replace(pattern, by) });

describe('a stage', () => {
  test.each([
    {},
    authentication({ issuer: 'none', audience: '' }),
    { kmsKey: KMS_KEY },
    otherKey(/key.*/, 'key/mrk-1234abcd12ab34cd56ef1234567890ab'),
    otherKey('arn:aws:', 'arn:aws-us-gov:'),
    {
      lists: 'opensearch',
      openSearch: { url: 'https://search.example.com', arn: 'arn:aws:es:eu-central-1:1:domain/u' },
    },
  ])('may have the settings %j', (settings) => {
    expect(refusalOf(settings)).toBe(undefined);
  });

  const ISSUER = 'Stage dev needs authentication: set OIDC_ISSUER to the URL of the issuer of your tokens';

  test.each<[settings: object, sentence: string]>([
    [authentication({ issuer: '' }), `${ISSUER}, or deploy with OIDC_ISSUER=none to let everyone in.`],
    [authentication({ issuer: '', mayBeOpen: false }), `${ISSUER}.`],
    [authentication({ issuer: 'none', mayBeOpen: false }), `${ISSUER}.`],
    [authentication({ issuer: 'http://id.example' }), 'OIDC_ISSUER must be an https URL, not http://id.example.'],
    [authentication({ issuer: 'id.example' }), 'OIDC_ISSUER must be an https URL, not id.example.'],
    [authentication({ audience: '' }), 'Set OIDC_AUDIENCE to what your tokens are made out to, their "aud".'],
    [{ tables: { users: '', directory: '' } }, 'Set both USERS_TABLE and DIRECTORY_TABLE to the names of tables'],
    ...[{ kmsKey: 'alias/users' }, otherKey(/key.*/, 'alias/users'), { kmsKey: '1234abcd-12ab-34cd-56ef-1234567890ab' }]
      .concat(otherKey('eu-central-1', 'us-east-1'), otherKey('kms', 's3'), otherKey('123456789012', '*'))
      .concat({ kmsKey: `${KMS_KEY}*` }, { kmsKey: ` ${KMS_KEY}` })
      .map((settings): [object, string] => [
        settings,
        `KMS_KEY must be the ARN of a KMS key of region eu-central-1, such as ${KMS_KEY}, or be empty. It is ${settings.kmsKey}.`,
      ]),
    [{ reservedConcurrency: { fold2: 1 } }, 'reservedConcurrency in serverless.yml names fold2, which is no function.'],
    [{ lists: 'memory' }, 'Stage dev has lists of memory: set replica or opensearch.'],
    [
      { lists: 'opensearch' },
      'set openSearchUrl and openSearchArn to the outputs of the stack of tools/deploy/stacks/search.yml',
    ],
    [{ journalParts: 8 }, 'Stage dev has journalParts of 8: set 1 to 4.'],
    [{ journalParts: 1.5 }, 'Stage dev has journalParts of 1.5: set 1 to 4.'],
    [{ events: { enabled: true, historyDays: 0 } }, 'Stage dev has events, but keeps no changes to make them from'],
  ])('with the settings %j is refused with one sentence: %s', (settings, sentence) => {
    expect(refusalOf(settings)).toContain(sentence);
  });
});

test.each<[more: object, refusal: string | undefined]>([
  [{ issuer: '', audience: '', mayBeOpen: false }, undefined],
  [{ issuer: 'none', audience: '' }, undefined],
  [{ issuer: 'http://localhost:8080/realms/a' }, undefined],
  [{ audience: '' }, 'Set OIDC_AUDIENCE to what your tokens are made out to, their "aud".'],
  ...['http://id.example', 'id.example', 'ftp://localhost'].map((issuer): [object, string] => [
    { issuer },
    `OIDC_ISSUER must be an https URL, or an http URL of this machine, not ${issuer}.`,
  ]),
])('the local service with the authentication %j is refused with: %s', (more, refusal) => {
  expect(refusalOf(authentication(more), 'offline')).toBe(refusal);
});

test('a token is needed by a route that is not listed, in either notation', () => {
  const functions: Record<string, Triggered> = {
    forgotten: { events: [{ http: 'get api/users/new' }, { http: { method: 'GET', path: '/api/docs/new' } }] },
  };
  protect(functions, 60);
  const authorizer = expect.objectContaining({ name: 'authorizer', resultTtlInSeconds: 60 });
  expect(functions.forgotten?.events).toEqual([
    { http: { method: 'get', path: 'api/users/new', authorizer } },
    { http: { method: 'GET', path: '/api/docs/new', authorizer } },
  ]);
});

describe('the tables of a stage', () => {
  const OWN = { users: 'own-users', directory: 'own-directory', stream: '' };
  const OTHERS = { users: 'others', directory: 'others-directory', stream: '' };
  const STREAM = 'arn:aws:dynamodb:eu-central-1:123456789012:table/others/stream/2026-11-21T10:00:00.000';
  const ONE_OF_TWO = 'Set both USERS_TABLE and DIRECTORY_TABLE to the names of tables, or neither.';
  const OF_ANOTHER = 'USERS_STREAM must be the ARN of a stream of table others.';
  const MADE = ['UsersTable', 'DirectoryTable'];

  test.each([
    [OWN, MADE, undefined],
    [OTHERS, [], undefined],
    [{ ...OTHERS, stream: STREAM }, [], undefined],
    [{ ...OTHERS, directory: 'own-directory' }, MADE, ONE_OF_TWO],
    [{ ...OTHERS, directory: '' }, MADE, ONE_OF_TWO],
    [{ ...OWN, stream: STREAM }, MADE, 'USERS_STREAM goes with USERS_TABLE and DIRECTORY_TABLE.'],
    [{ ...OTHERS, stream: STREAM.replace('/others/', '/restored/') }, MADE, OF_ANOTHER],
    [{ ...OTHERS, stream: 'others' }, MADE, OF_ANOTHER],
  ])('are %j; then its stack makes %j, and the refusal is: %s', (tables, made, refusal) => {
    const Resources = Object.fromEntries(MADE.map((name) => [name, { Type: 'T', Properties: {} }]));
    expect(leaveOutTables({ functions: {}, resources: { Resources } }, tables, 'own')).toBe(refusal);
    expect(Object.keys(Resources)).toEqual(made);
  });
});
