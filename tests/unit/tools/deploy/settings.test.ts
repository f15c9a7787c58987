import { describe, expect, test } from 'vitest';
import { protect, refusalOf } from '../../../../tools/deploy/authentication.ts';
import { refusalOfDomain } from '../../../../tools/deploy/domain.ts';
import { refusalOfKey } from '../../../../tools/deploy/encryption.ts';
import type { Serverless } from '../../../../tools/deploy/framework.ts';
import { leaveOutTables } from '../../../../tools/deploy/otherTables.ts';
import DeployPlugin from '../../../../tools/deploy/plugin.ts';
import { refusalOfMinutes } from '../../../../tools/deploy/rollback.ts';
import type { Triggered } from '../../../../tools/deploy/triggers.ts';

const KMS_KEY = 'arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const DOMAIN = 'users.example.com';

describe('authentication', () => {
  const settings = { issuer: 'https://id.example', audience: 'users', mayBeOpen: true, cacheSeconds: 300 };
  const ISSUER = 'Stage dev needs authentication: set OIDC_ISSUER to the URL of the issuer of your tokens';

  test.each([
    [{}, undefined],
    [{ issuer: 'none', audience: '' }, undefined],
    [{ issuer: '' }, `${ISSUER}, or to "none" to let everyone in.`],
    [{ issuer: '', mayBeOpen: false }, `${ISSUER}.`],
    [{ issuer: 'none', mayBeOpen: false }, `${ISSUER}.`],
    [{ issuer: 'http://id.example' }, 'OIDC_ISSUER must be an https URL, not http://id.example.'],
    [{ issuer: 'id.example' }, 'OIDC_ISSUER must be an https URL, not id.example.'],
    [{ audience: '' }, 'Set OIDC_AUDIENCE to what your tokens are made out to, their "aud".'],
  ])('with %j gives a stage the refusal: %s', (more, refusal) => {
    expect(refusalOf('dev', { ...settings, ...more })).toBe(refusal);
  });

  test('is needed by a route that is not listed, in either notation', () => {
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
});

describe('the domain of a stage', () => {
  test.each([...['', DOMAIN, 'a.io', 'users-1.example.co.uk', 'xn--bcher-kva.example'], `${'a'.repeat(63)}.example`])(
    'may be %j',
    (domain) => {
      expect(refusalOfDomain(domain)).toBeUndefined();
    },
  );

  test.each([
    ...['example', 'Users.example.com', 'users.example.com.', 'https://users.example.com', 'users.example.com/v1'],
    ...['*.example.com', '-users.example.com', 'users..example.com', ' users.example.com', '10.0.0.1'],
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(126)}example`,
  ])('must not be %j', (domain) => {
    expect(refusalOfDomain(domain)).toBe(
      `DOMAIN_NAME must be the name of a domain in small letters, such as users.example.com, or be empty. It is ${domain}.`,
    );
  });
});

describe('the key of the tables', () => {
  const ofAnyAccount = KMS_KEY.replace('123456789012', '*');

  test.each([
    '',
    KMS_KEY,
    KMS_KEY.replace(/key.*/, 'key/mrk-1234abcd12ab34cd56ef1234567890ab'),
    KMS_KEY.replace('arn:aws:', 'arn:aws-us-gov:'),
  ])('may be %j', (key) => {
    expect(refusalOfKey(key, 'eu-central-1')).toBeUndefined();
  });

  test.each([
    ...['alias/users', KMS_KEY.replace(/key.*/, 'alias/users'), '1234abcd-12ab-34cd-56ef-1234567890ab'],
    ...[KMS_KEY.replace('eu-central-1', 'us-east-1'), KMS_KEY.replace('kms', 's3'), ofAnyAccount],
    ...[`${KMS_KEY}*`, ` ${KMS_KEY}`],
  ])('must not be %j', (key) => {
    expect(refusalOfKey(key, 'eu-central-1')).toBe(
      `KMS_KEY must be the ARN of a KMS key of region eu-central-1, such as ${KMS_KEY}, or be empty. It is ${key}.`,
    );
  });
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
    [{ ...OTHERS, users: 'own-users' }, MADE, ONE_OF_TWO],
    [{ ...OTHERS, users: '' }, MADE, ONE_OF_TWO],
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

test.each([
  [0, undefined],
  [180, undefined],
  [-1, 'rollbackMinutes must be an integer from 0 to 180. It is -1.'],
  [181, 'rollbackMinutes must be an integer from 0 to 180. It is 181.'],
  [2.5, 'rollbackMinutes must be an integer from 0 to 180. It is 2.5.'],
])('%d as rollbackMinutes gives the refusal: %s', (minutes, refusal) => {
  expect(refusalOfMinutes(minutes)).toBe(refusal);
});

describe('a deployment', () => {
  /** What the plugin does with the settings of a stage before it packages. */
  function begin(settings: object): void {
    const custom = {
      authentication: { issuer: 'none', audience: '', mayBeOpen: true, cacheSeconds: 300 },
      events: { enabled: false, historyDays: 30 },
      monitoring: { enabled: false, email: '', rollbackMinutes: 0 },
      tables: { users: 'own-dev-users', directory: 'own-dev-directory' },
      ...{ usersStream: '', kmsKey: '', domain: '', reservedConcurrency: {}, permissionsBoundary: '' },
      ...settings,
    };
    const service = {
      ...{ service: 'own', custom, functions: {}, resources: { Resources: {} } },
      provider: { stage: 'dev', region: 'eu-central-1', environment: { CORS_ORIGINS: '' } },
    };
    const serverless = {
      configSchemaHandler: { defineFunctionProperties: () => {} },
      classes: { Error },
      processedInput: { commands: ['package'] },
      service,
    };
    const log = { notice: () => {}, warning: () => {} };
    new DeployPlugin(serverless as object as Serverless, {}, { log }).hooks.initialize?.();
  }

  test('begins with valid settings', () => {
    expect(() => begin({})).not.toThrow();
  });

  test.each([
    [{ authentication: { issuer: '', audience: '', mayBeOpen: true, cacheSeconds: 300 } }, /^Stage dev needs auth/],
    [{ tables: { users: '', directory: '' } }, /^Set both USERS_TABLE and DIRECTORY_TABLE/],
    [{ kmsKey: 'alias/users' }, /^KMS_KEY must be the ARN of a KMS key of region eu-central-1/],
    [{ domain: 'example' }, /^DOMAIN_NAME must be the name of a domain/],
    [{ monitoring: { enabled: true, email: '', rollbackMinutes: 181 } }, /^rollbackMinutes must be/],
    [{ reservedConcurrency: { fold2: 1 } }, /^reservedConcurrency in serverless.yml names fold2, which is no function/],
    [{ events: { enabled: true, historyDays: 0 } }, /^Stage dev has events, but keeps no changes/],
  ])('is refused with %j', (settings, sentence) => {
    expect(() => begin(settings)).toThrow(sentence);
  });
});
