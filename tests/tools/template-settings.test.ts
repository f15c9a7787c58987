import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { needsToken, ROUTES } from '../../lib/http/routes.ts';
import { USERS_INDEXES } from '../../lib/users/indexes.ts';
import { KEY_USES, KMS_KEY } from '../support/deployRole.ts';
import {
  folder,
  functionsOf,
  grantsOf,
  guardedMethods,
  ISSUER,
  ofType,
  on,
  only,
  packageBeforeAll,
  packageProgram,
  packageStage,
  printed,
  type Resource,
  STAGES,
  schedulesOf,
  shell,
  statementsOf,
  type Template,
  templates,
} from '../support/template.ts';

packageBeforeAll();

describe('a stage that uses other tables', () => {
  test('does not create them, and has the same permissions on them as on its own tables', () => {
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
      ...USERS_INDEXES.map(({ name }) => `dynamodb:Query users-restored/index/${name}`).sort(),
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

  test('encrypts both tables with it, and nothing else', () => {
    const specified = Object.entries(template).map(([id, { Properties }]) => [id, Properties?.SSESpecification]);
    const encrypted = { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: KMS_KEY };
    expect(Object.fromEntries(specified)).toEqual({ UsersTable: encrypted, DirectoryTable: encrypted });
  });

  test('lets only functions that use the tables use it, and only through DynamoDB', () => {
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
});

const LONG_NAME = 'a-name-of-exactly-31-characters';

test.each<[string, Record<string, string>, string]>([
  ['prod', {}, 'Stage prod needs authentication: set OIDC_ISSUER to the URL of the issuer of your tokens.'],
  [
    'prod',
    { ...ISSUER, USERS_TABLE: '', DIRECTORY_TABLE: '' },
    'Set both USERS_TABLE and DIRECTORY_TABLE to the names of tables, or neither.',
  ],
  [
    'prod',
    { ...ISSUER, KMS_KEY: 'alias/users' },
    `KMS_KEY must be the ARN of a KMS key of region eu-central-1, such as ${KMS_KEY}, or be empty. It is alias/users.`,
  ],
  [
    LONG_NAME,
    ISSUER,
    `The name of stage ${LONG_NAME} is too long: it may have 30 characters, as the function ` +
      `user-management-${LONG_NAME}-listUsersByCursor may have 64.`,
  ],
])('stage %s with the settings %j is refused', (stage, env, sentence) => {
  const program = packageProgram(stage, join(folder, 'none'));
  const { status, stdout } = spawnSync(process.execPath, program, { cwd: shell.root, env, encoding: 'utf8' });
  expect([status, stdout.trim()]).toEqual([1, `Error:\n${sentence}`]);
});

const STAYS = 'RetainExceptOnCreate';

test.each<
  [(typeof STAGES)[number], string, [number, string | undefined], [number, number], [string, boolean, boolean]]
>([
  ['dev', '*', [7, undefined], [50, 100], ['Delete', false, false]],
  ['staging', '', [30, undefined], [200, 400], ['Delete', false, true]],
  ['prod', 'https://a.example https://b.example', [365, STAYS], [1000, 2000], [STAYS, true, true]],
])(
  'stage %s has the settings for origins %j, days of logs %j, requests a second %j, and tables %j',
  (stage, ...settings) => {
    const [origins, logs, [rate, burst], [policy, isProtected, recovery]] = settings;
    for (const [, { Properties }] of ofType(templates[stage], 'AWS::Lambda::Function'))
      expect(Properties.Environment).toMatchObject({ Variables: { CORS_ORIGINS: origins } });
    const groups = ofType(templates[stage], 'AWS::Logs::LogGroup').map(([, group]) => group);
    const ofGateway = stage === 'dev' ? 0 : 1;
    expect(groups.map(({ Properties, DeletionPolicy }) => [Properties.RetentionInDays, DeletionPolicy])).toEqual(
      Array(functionsOf(stage).length + ofGateway).fill(logs),
    );
    expect(only(templates[stage], 'AWS::ApiGateway::Deployment').Properties.StageDescription).toMatchObject({
      ThrottlingRateLimit: rate,
      ThrottlingBurstLimit: burst,
      MetricsEnabled: true,
      TracingEnabled: true,
    });
    for (const [, table] of ofType(templates[stage], 'AWS::DynamoDB::Table'))
      expect(table).toMatchObject({
        DeletionPolicy: policy,
        UpdateReplacePolicy: 'Retain',
        Properties: {
          DeletionProtectionEnabled: isProtected,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: recovery },
        },
      });
  },
);

test('a stage with alarms but without ALARM_EMAIL is packaged with a warning', () => {
  expect(printed.prod).toContain('Nobody receives the alarms of stage prod: ALARM_EMAIL is not set.');
  expect(printed.dev).not.toContain('ALARM_EMAIL');
});

describe('authentication', () => {
  test.each(['staging', 'prod'] as const)('protects every route for users at %s', (stage) => {
    const expected = ROUTES.filter(needsToken).flatMap(({ method, path }) =>
      method === 'GET' ? [`GET ${path}`, `HEAD ${path}`] : [`${method} ${path}`],
    );
    expect(guardedMethods(templates[stage])).toEqual(expected.sort());
    expect(only(templates[stage], 'AWS::ApiGateway::Authorizer').Properties).toMatchObject({
      Type: 'TOKEN',
      IdentitySource: 'method.request.header.Authorization',
      AuthorizerResultTtlInSeconds: 300,
    });
    expect(templates[stage].AuthorizerLambdaFunction?.Properties.Environment).toMatchObject({
      Variables: { OIDC_ISSUER: 'https://id.example', OIDC_AUDIENCE: 'users' },
    });
  });

  test('is absent at an open stage', () => {
    expect(guardedMethods(templates.dev)).toEqual([]);
    expect(ofType(templates.dev, 'AWS::ApiGateway::Authorizer')).toEqual([]);
  });
});

describe('errors that the gateway makes', () => {
  const parametersOf = (stage: (typeof STAGES)[number]) =>
    Object.fromEntries(
      ofType(templates[stage], 'AWS::ApiGateway::GatewayResponse').map(([, { Properties }]) => [
        Properties.ResponseType,
        Properties.ResponseParameters,
      ]),
    );

  test('name the missing credentials and the time to retry', () => {
    expect(parametersOf('prod')).toMatchObject({
      UNAUTHORIZED: { 'gatewayresponse.header.WWW-Authenticate': "'Bearer'" },
      ACCESS_DENIED: { 'gatewayresponse.header.WWW-Authenticate': '\'Bearer error="insufficient_scope"\'' },
      AUTHORIZER_FAILURE: { 'gatewayresponse.header.Retry-After': "'1'" },
      AUTHORIZER_CONFIGURATION_ERROR: { 'gatewayresponse.header.Retry-After': "'1'" },
      THROTTLED: { 'gatewayresponse.header.Retry-After': "'1'" },
    });
  });

  test('are made before the deployment that includes them', () => {
    const ids = ofType(templates.prod, 'AWS::ApiGateway::GatewayResponse').map(([id]) => id);
    const { DependsOn } = only(templates.prod, 'AWS::ApiGateway::Deployment') as Resource & { DependsOn: string[] };
    expect(DependsOn).toEqual(expect.arrayContaining(ids));
    expect(DependsOn.filter((id) => templates.prod[id]?.Type === 'AWS::ApiGateway::Method').length).toBeGreaterThan(20);
  });

  test('can be read by browsers of other origins that may call the API', () => {
    const origin = 'gatewayresponse.header.Access-Control-Allow-Origin';
    expect(parametersOf('dev').UNAUTHORIZED).toMatchObject({ [origin]: "'*'" });
    expect(parametersOf('prod').UNAUTHORIZED).toMatchObject({ [origin]: 'method.request.header.Origin' });
    expect(parametersOf('staging').UNAUTHORIZED).not.toHaveProperty([origin]);
  });
});

describe('monitoring', () => {
  test.each(['staging', 'prod'] as const)('watches stage %s by the names of its resources', (stage) => {
    const template = templates[stage];
    expect(ofType(template, 'AWS::CloudWatch::Alarm')).toHaveLength(8);
    expect(ofType(template, 'AWS::SNS::Topic')).toHaveLength(1);
    const { Name } = only(template, 'AWS::ApiGateway::RestApi').Properties;
    const watched = JSON.stringify(ofType(template, 'AWS::CloudWatch::Alarm'));
    const values = (dimension: string) => [
      ...new Set([...watched.matchAll(new RegExp(`"Name":"${dimension}","Value":"([^"]*)"`, 'g'))].map(([, v]) => v)),
    ];
    expect(values('ApiName')).toEqual([Name]);
    expect(values('Stage')).toEqual([stage]);
    const tables = ofType(template, 'AWS::DynamoDB::Table').map(([, { Properties }]) => Properties.TableName);
    expect(values('TableName').sort()).toEqual(tables.sort());
    const dashboard = only(template, 'AWS::CloudWatch::Dashboard').Properties;
    expect(dashboard.DashboardName).toBe(`user-management-${stage}`);
    const functions = ofType(template, 'AWS::Lambda::Function').map(([, { Properties }]) => Properties.FunctionName);
    const shown = [...JSON.stringify(dashboard).matchAll(/"function\\",\\"([\w-]+)/g)].map(([, name]) => name);
    expect(shown.length).toBeGreaterThan(9);
    expect(functions).toEqual(expect.arrayContaining(shown));
  });

  test('is left out of dev', () => {
    expect(ofType(templates.dev, 'AWS::CloudWatch::Alarm')).toEqual([]);
    expect(ofType(templates.dev, 'AWS::CloudWatch::Dashboard')).toEqual([]);
  });
});

describe('the access log of API Gateway', () => {
  const settingOf = (stage: (typeof STAGES)[number]) =>
    (
      only(templates[stage], 'AWS::ApiGateway::Deployment').Properties.StageDescription as {
        AccessLogSetting?: { DestinationArn: object; Format: string };
      }
    ).AccessLogSetting;

  test.each(['staging', 'prod'] as const)('has one line of JSON per request at %s, without user data', (stage) => {
    const { DestinationArn, Format = '' } = settingOf(stage) ?? {};
    expect(DestinationArn).toEqual({
      'Fn::Sub': 'arn:${AWS::Partition}:logs:${AWS::Region}:${AWS::AccountId}:log-group:${AccessLogGroup}',
    });
    expect(templates[stage].AccessLogGroup?.Properties.LogGroupName).toBe(`/aws/apigateway/user-management-${stage}`);
    expect(JSON.parse(Format)).toEqual({
      requestId: '$context.requestId',
      route: '$context.httpMethod $context.resourcePath',
      status: '$context.status',
      by: '$context.authorizer.principalId',
      milliseconds: '$context.responseLatency',
      bytes: '$context.responseLength',
      error: '$context.error.responseType',
      authorizerStatus: '$context.authorizer.status',
      integrationStatus: '$context.integration.status',
      trace: '$context.xrayTraceId',
    });
  });

  test('is absent at dev, which needs no setting of the account', () => {
    expect(settingOf('dev')).toBeUndefined();
    expect(templates.dev.AccessLogGroup).toBeUndefined();
  });

  test('is written with a role of the account, which no stack of a stage owns', () => {
    for (const stage of STAGES) {
      expect(ofType(templates[stage], 'AWS::ApiGateway::Account')).toEqual([]);
      expect(ofType(templates[stage], 'Custom::ApiGatewayAccountRole')).toEqual([]);
    }
  });
});

/** The last test, because it breaks the copy. */
test('packaging fails when a function cannot be built, and names the function', () => {
  writeFileSync(join(shell.root, 'functions/getUser.ts'), "export { handler } from '../lib/nowhere.ts';\n");
  const program = packageProgram('dev', join(folder, 'broken'));
  const env = { OIDC_ISSUER: 'none' };
  const { status, stdout } = spawnSync(process.execPath, program, { cwd: shell.root, env, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stdout).toContain('functions/getUser.ts');
});
