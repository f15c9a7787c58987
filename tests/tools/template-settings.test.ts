import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { KEY_USES, KMS_KEY } from '../support/deployRole.ts';
import {
  ALL_INDEXES,
  folder,
  functionsOf,
  grantsOf,
  ISSUER,
  ofType,
  on,
  only,
  packageBeforeAll,
  packageProgram,
  packageStage,
  printed,
  schedulesOf,
  shell,
  statementsOf,
  type Template,
  templates,
} from '../support/template.ts';

packageBeforeAll();

describe('a stage that uses other tables', () => {
  test('does not create them, and has the same permissions on them as on its own', () => {
    const restored = { USERS_TABLE: 'users-restored', DIRECTORY_TABLE: 'directory-restored' };
    const template = packageStage('restored', { OIDC_ISSUER: 'none', ...restored }, shell.root);
    expect(ofType(template, 'AWS::DynamoDB::Table')).toEqual([]);
    expect(template.GetUserLambdaFunction?.Properties.Environment).toMatchObject({ Variables: restored });
    expect(grantsOf(template, 'replaceUser')).toEqual([
      'dynamodb:GetItem directory-restored',
      'dynamodb:GetItem users-restored',
      'dynamodb:PutItem directory-restored',
      'dynamodb:PutItem users-restored',
    ]);
    // These tables have no stream.
    expect(ofType(template, 'AWS::Lambda::EventSourceMapping')).toEqual([]);
    expect(schedulesOf(template)).toEqual(['rate(1 minute)']);
    expect(grantsOf(template, 'fold')).toEqual([
      ...on('directory-restored', 'BatchWriteItem', 'PartiQLInsert', 'PartiQLUpdate', 'PutItem', 'Query'),
      ...ALL_INDEXES.map((index) => `dynamodb:Query users-restored/index/${index}`).sort(),
      'dynamodb:UpdateItem directory-restored',
    ]);
    expect(JSON.stringify(template)).not.toContain('UsersTable');
  });
});

describe('a stage that uses other tables with a stream, and has settings of its own', () => {
  const stream = 'arn:aws:dynamodb:eu-central-1:123456789012:table/users-restored/stream/2026-11-21T10:00:00.000';
  const restored = { USERS_TABLE: 'users-restored', DIRECTORY_TABLE: 'directory-restored' };

  const boundary = 'arn:aws:iam::123456789012:policy/user-management-dev-boundary';
  let template: Template;

  beforeAll(() => {
    shell.replace('serverless.yml', 'reservedConcurrency: {}', 'reservedConcurrency: { listAllUsers: 20, fold: 2 }');
    const settings = { ...restored, USERS_STREAM: stream, PERMISSIONS_BOUNDARY: boundary };
    template = packageStage('streaming', { OIDC_ISSUER: 'none', ...settings }, shell.root);
  });

  test('reserves concurrency, and sets the boundary of every role', () => {
    const reserved = ofType(template, 'AWS::Lambda::Function').flatMap(([name, { Properties }]) =>
      Properties.ReservedConcurrentExecutions === undefined ? [] : [[name, Properties.ReservedConcurrentExecutions]],
    );
    expect(Object.fromEntries(reserved)).toEqual({ ListAllUsersLambdaFunction: 20, FoldLambdaFunction: 2 });
    const boundaries = ofType(template, 'AWS::IAM::Role').map(([, { Properties }]) => Properties.PermissionsBoundary);
    expect(boundaries).toEqual(Array(functionsOf('dev').length).fill(boundary));
  });

  test('folds after writes through the stream', () => {
    expect(only(template, 'AWS::Lambda::EventSourceMapping').Properties).toMatchObject({
      EventSourceArn: stream,
      FunctionName: { 'Fn::GetAtt': ['FoldLambdaFunction', 'Arn'] },
      MaximumRetryAttempts: 0,
    });
    expect(statementsOf(template, 'fold')).toContainEqual({
      Effect: 'Allow',
      Action: ['dynamodb:GetRecords'],
      Resource: [stream],
    });
    expect(schedulesOf(template)).toEqual(['rate(1 minute)']);
    expect(JSON.stringify(template)).not.toContain('UsersTable');
  });
});

describe('a stage with a key of its own', () => {
  const use = {
    Effect: 'Allow',
    Action: KEY_USES.split(' ').map((use) => `kms:${use}`),
    Resource: [KMS_KEY],
    Condition: { StringEquals: { 'kms:ViaService': { 'Fn::Sub': 'dynamodb.${AWS::Region}.amazonaws.com' } } },
  };

  let template: Template;

  beforeAll(() => {
    template = packageStage('encrypted', { OIDC_ISSUER: 'none', KMS_KEY }, shell.root);
  });

  test('encrypts both tables with it', () => {
    const tables = ofType(template, 'AWS::DynamoDB::Table').map(([id, { Properties }]) => [
      id,
      Properties.SSESpecification,
    ]);
    const encrypted = { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: KMS_KEY };
    expect(Object.fromEntries(tables)).toEqual({ UsersTable: encrypted, DirectoryTable: encrypted });
  });

  test('lets the functions use it through DynamoDB that use the tables, and no others', () => {
    const uses = (operation: string) =>
      statementsOf(template, operation).filter(({ Resource }) => Resource[0] === KMS_KEY);
    for (const operation of functionsOf('dev')) {
      const expected = grantsOf(template, operation).length > 0 ? [use] : [];
      expect(uses(operation), operation).toEqual(expected);
    }
    const without = functionsOf('dev').filter((operation) => uses(operation).length === 0);
    expect(without.sort()).toEqual([
      'getAdmin',
      'getAdminFile',
      'getDocs',
      'getDocsFile',
      'getOpenApi',
      'unknownRoute',
    ]);
  });

  test('is refused in one sentence if that is the name of a key', () => {
    expect(refused('prod', { KMS_KEY: 'alias/users' })).toEqual({
      status: 1,
      stdout:
        'Error:\nKMS_KEY must be the ARN of a KMS key of region eu-central-1, such as ' +
        'arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab, or be empty. It is alias/users.',
    });
  });
});

const refused = (stage: string, settings: Record<string, string>) => {
  const program = packageProgram(stage, join(folder, 'none'));
  const env = { ...ISSUER, ...settings };
  const { status, stdout } = spawnSync(process.execPath, program, { cwd: shell.root, env, encoding: 'utf8' });
  return { status, stdout: stdout.trim() };
};

describe('a stage with one other table', () => {
  test('is refused in one sentence', () => {
    expect(refused('prod', { USERS_TABLE: '', DIRECTORY_TABLE: '' })).toEqual({
      status: 1,
      stdout: 'Error:\nSet both USERS_TABLE and DIRECTORY_TABLE to the names of tables, or neither.',
    });
  });
});

describe('a stage with a long name', () => {
  test('is refused in one sentence', () => {
    expect(refused('a-name-of-exactly-31-characters', {})).toEqual({
      status: 1,
      stdout:
        'Error:\nThe name of stage a-name-of-exactly-31-characters is too long: it may have 30 characters, as the function ' +
        'user-management-a-name-of-exactly-31-characters-listUsersByCursor may have 64.',
    });
  });
});

describe('the settings of the stages', () => {
  test.each([
    ['dev', '*'],
    ['staging', ''],
    ['prod', 'https://a.example https://b.example'],
  ] as const)('%s allows browsers of the origins %j', (stage, origins) => {
    for (const [, { Properties }] of ofType(templates[stage], 'AWS::Lambda::Function')) {
      expect((Properties.Environment as { Variables: object }).Variables).toMatchObject({ CORS_ORIGINS: origins });
    }
  });

  test.each([
    ['dev', 7, 50, 100],
    ['staging', 30, 200, 400],
    ['prod', 365, 1000, 2000],
  ] as const)(
    '%s keeps logs for %d days and accepts %d requests per second, in bursts of %d',
    (stage, days, rate, burst) => {
      const groups = ofType(templates[stage], 'AWS::Logs::LogGroup').map(
        ([, { Properties }]) => Properties.RetentionInDays,
      );
      const ofGateway = stage === 'dev' ? 0 : 1;
      expect(groups).toEqual(Array(functionsOf(stage).length + ofGateway).fill(days));
      expect(only(templates[stage], 'AWS::ApiGateway::Deployment').Properties.StageDescription).toMatchObject({
        ThrottlingRateLimit: rate,
        ThrottlingBurstLimit: burst,
        MetricsEnabled: true,
        TracingEnabled: true,
      });
    },
  );

  test.each([
    ['dev', 'Delete', false, false],
    ['staging', 'Delete', false, true],
    ['prod', 'RetainExceptOnCreate', true, true],
  ] as const)(
    '%s has tables with policy %s, deletion protection %s and point-in-time recovery %s',
    (stage, policy, isProtected, recovery) => {
      for (const [, table] of ofType(templates[stage], 'AWS::DynamoDB::Table')) {
        expect(table).toMatchObject({
          DeletionPolicy: policy,
          UpdateReplacePolicy: 'Retain',
          Properties: {
            DeletionProtectionEnabled: isProtected,
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: recovery },
          },
        });
      }
    },
  );

  test.each([
    ['dev', undefined],
    ['staging', undefined],
    ['prod', 'RetainExceptOnCreate'],
  ] as const)('%s has logs with the deletion policy %s', (stage, policy) => {
    const policies = ofType(templates[stage], 'AWS::Logs::LogGroup').map(([, { DeletionPolicy }]) => DeletionPolicy);
    expect([...new Set(policies)]).toEqual([policy]);
  });
});

describe('a stage with alarms but without ALARM_EMAIL', () => {
  test('is packaged with a warning', () => {
    expect(printed.prod).toContain('Nobody receives the alarms of stage prod: ALARM_EMAIL is not set.');
    expect(printed.dev).not.toContain('ALARM_EMAIL');
  });
});

/** The last test: its breakage stays. */
describe('a function that cannot be built', () => {
  test('ends the packaging with its name', () => {
    writeFileSync(join(shell.root, 'functions/getUser.ts'), "export { handler } from '../lib/nowhere.ts';\n");
    const program = packageProgram('dev', join(folder, 'broken'));
    const env = { OIDC_ISSUER: 'none' };
    const { status, stdout } = spawnSync(process.execPath, program, { cwd: shell.root, env, encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stdout).toContain('functions/getUser.ts');
  });
});
