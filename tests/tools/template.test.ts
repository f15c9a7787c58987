import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unzip } from '../../bench/zip.ts';
import { LISTINGS } from '../../lib/http/listings.ts';
import { ROUTES } from '../../lib/http/routes.ts';
import { copyProject } from '../support/project.ts';

interface Resource {
  Type: string;
  DeletionPolicy?: string;
  Properties: Record<string, unknown>;
}
type Template = Record<string, Resource>;
interface Statement {
  Action: string[];
  Resource: unknown[] | string;
}

const ROOT = new URL('../..', import.meta.url).pathname;
const STAGES = ['dev', 'staging', 'prod'] as const;
const folder = mkdtempSync(join(tmpdir(), 'package-'));

const templates = {} as Record<(typeof STAGES)[number], Template>;

const ISSUER = { OIDC_ISSUER: 'https://id.example', OIDC_AUDIENCE: 'users' };

/** Stage dev is open, which its deployment may choose. */
const SETTINGS: Record<(typeof STAGES)[number], Record<string, string>> = {
  dev: { OIDC_ISSUER: 'none' },
  staging: ISSUER,
  prod: { ...ISSUER, CORS_ORIGINS: 'https://a.example https://b.example' },
};

const packageProgram = (stage: string, target: string) => [
  'node_modules/serverless/bin/serverless.js',
  'package',
  '--stage',
  stage,
  '--package',
  target,
];

/** The output of packaging each stage. */
const printed: Record<string, string> = {};

/** The environment of a pipeline without credentials. */
function packageStage(stage: string, settings: Record<string, string>, root: string): Template {
  const target = join(folder, stage);
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_')));
  const run = spawnSync(process.execPath, packageProgram(stage, target), {
    cwd: root,
    env: { ...env, ...settings },
    encoding: 'utf8',
  });
  printed[stage] = `${run.stdout}${run.stderr}`;
  if (run.status !== 0) throw new Error(printed[stage]);
  return JSON.parse(readFileSync(join(target, 'cloudformation-template-update-stack.json'), 'utf8')).Resources;
}

/**
 * The project with empty functions. Bundling takes longer than everything else, and does not change the template. So only
 * stage dev bundles the real functions.
 */
const shell = copyProject();
for (const file of readdirSync(join(shell.root, 'functions')))
  writeFileSync(join(shell.root, 'functions', file), 'export const handler = async () => {};\n');

beforeAll(() => {
  for (const stage of STAGES)
    templates[stage] = packageStage(stage, SETTINGS[stage], stage === 'dev' ? ROOT : shell.root);
});

afterAll(() => {
  shell.remove();
  rmSync(folder, { recursive: true });
});

const ofType = (template: Template, type: string): [string, Resource][] =>
  Object.entries(template).filter(([, { Type }]) => Type === type);

/** The names of all functions. An open stage has no authorizer. */
const functionsOf = (stage: string): string[] => [
  ...ROUTES.map(({ operation }) => operation),
  'unknownRoute',
  'fold',
  ...(stage === 'dev' ? [] : ['authorizer']),
];

const only = (template: Template, type: string): Resource => ofType(template, type)[0]?.[1] as Resource;

const lambdaId = (operation: string) => `${operation.charAt(0).toUpperCase()}${operation.slice(1)}LambdaFunction`;

function statementsOf(template: Template, operation: string): Statement[] {
  const role = template[`${operation.charAt(0).toUpperCase()}${operation.slice(1)}Role`];
  const policies = role?.Properties.Policies as { PolicyDocument: { Statement: Statement[] } }[] | undefined;
  return policies?.flatMap(({ PolicyDocument }) => PolicyDocument.Statement) ?? [];
}

/** `action resource`, only for tables and indexes. */
const grantsOf = (template: Template, operation: string): string[] =>
  statementsOf(template, operation)
    .flatMap(({ Action, Resource }) =>
      Action.flatMap((action) => [Resource].flat().map((arn) => `${action} ${JSON.stringify(arn)}`)),
    )
    .filter((grant) => grant.startsWith('dynamodb:'))
    .map((grant) =>
      grant
        .replace(
          /\{"Fn::Sub":"arn:\$\{AWS::Partition\}:dynamodb:\$\{AWS::Region\}:\$\{AWS::AccountId\}:table\/([^"]*)"\}/,
          '$1',
        )
        .replace(/user-management-\w+-users\/index\//, '')
        .replace(/user-management-\w+-users$/, 'UsersTable')
        .replace(/user-management-\w+-directory$/, 'DirectoryTable'),
    )
    .sort();

const query = (...indexes: string[]) => indexes.map((index) => `dynamodb:Query ${index}`);

const on = (table: string, ...actions: string[]) => actions.map((action) => `dynamodb:${action} ${table}`);

const INDEXES_BY_FIELD = ['byAge', 'byEmail', 'byFirstName', 'byLastName', 'byName'];
const INDEXES_BY_COUNTRY = ['Age', 'Email', 'FirstName', 'LastName', 'Name'].map((field) => `byCountryAnd${field}`);
const INDEXES_BY_ID = ['byCountry', 'byId', 'byStatus', 'byStatusAndCountry'];
const ALL_INDEXES = [...INDEXES_BY_FIELD, ...INDEXES_BY_COUNTRY, ...INDEXES_BY_ID];

const WRITE = [...on('UsersTable', 'GetItem', 'PutItem'), ...on('DirectoryTable', 'PutItem')];
/** The fold reads lists that have grown, to cut them. */
const FOLD = [
  ...on('DirectoryTable', 'BatchWriteItem', 'PutItem', 'UpdateItem'),
  ...query('DirectoryTable', ...ALL_INDEXES),
];
const READ_STREAM = on(
  '{"Fn::GetAtt":["UsersTable","StreamArn"]}',
  'DescribeStream',
  'GetRecords',
  'GetShardIterator',
  'ListStreams',
);

/** Memory and timeout that differ from 512 MB and 15 s: functions that work on many users have a whole processor. */
const SIZES: Record<string, object> = {
  listUsers: { MemorySize: 1769 },
  listUsersByCursor: { MemorySize: 1769 },
  searchUsers: { MemorySize: 1769 },
  listAllUsers: { MemorySize: 1769, Timeout: 900 },
  fold: { MemorySize: 1769, Timeout: 60 },
};

const schedulesOf = (template: Template) =>
  ofType(template, 'AWS::Events::Rule').map(([, { Properties }]) => Properties.ScheduleExpression);

describe.each(STAGES)('stage %s', (stage) => {
  test('has one function per operation and the catch-all, with memory, timeout, runtime and tracing', () => {
    const functions = ofType(templates[stage], 'AWS::Lambda::Function').map(([, { Properties }]) => Properties);
    expect(functions.map(({ FunctionName }) => FunctionName).sort()).toEqual(
      functionsOf(stage)
        .map((name) => `user-management-${stage}-${name}`)
        .sort(),
    );
    for (const settings of functions) {
      expect(settings).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        MemorySize: 512,
        Timeout: 15,
        TracingConfig: { Mode: 'Active' },
        ...SIZES[String(settings.FunctionName).replace(`user-management-${stage}-`, '')],
      });
    }
  });

  test('streams /api/users/all, compresses large responses and lets idempotency keys expire', () => {
    const methods = ofType(templates[stage], 'AWS::ApiGateway::Method').map(
      ([, { Properties }]) => Properties.Integration,
    );
    const streams = (methods as { ResponseTransferMode?: string; Uri?: unknown }[]).filter(
      (i) => i.ResponseTransferMode === 'STREAM',
    );
    expect(streams).toHaveLength(2);
    for (const { Uri } of streams)
      expect(JSON.stringify(Uri)).toMatch(/ListAllUsersLambdaFunction.*response-streaming-invocations/);
    expect(only(templates[stage], 'AWS::ApiGateway::RestApi').Properties.MinimumCompressionSize).toBe(1024);
    expect(templates[stage].DirectoryTable?.Properties.TimeToLiveSpecification).toEqual({
      AttributeName: 'ttl',
      Enabled: true,
    });
  });

  test('has one zip per operation and one for the catch-all', () => {
    const zips = readdirSync(join(folder, stage)).filter((file) => file.endsWith('.zip'));
    expect(zips.sort()).toEqual(
      functionsOf(stage)
        .map((name) => `${name}.zip`)
        .sort(),
    );
  });

  test('has the documentation viewer only in its function', () => {
    const files = [...unzip(readFileSync(join(folder, stage, 'getDocsFile.zip')))].map(([name]) => name);
    const viewer = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js', 'swagger-ui.css'];
    expect(files.sort()).toEqual([
      'functions/getDocsFile.cjs',
      ...viewer.map((file) => `node_modules/swagger-ui-dist/${file}`),
    ]);
  });

  test.each([
    ['getUser', on('UsersTable', 'GetItem')],
    ['createUser', [...on('UsersTable', 'PutItem'), ...on('DirectoryTable', 'GetItem', 'PutItem')]],
    ['replaceUser', WRITE],
    ['patchUser', WRITE],
    ['deleteUser', [...on('UsersTable', 'DeleteItem', 'GetItem'), ...on('DirectoryTable', 'PutItem')]],
    ['listUsers', query('DirectoryTable', ...ALL_INDEXES)],
    ['listAllUsers', query('DirectoryTable', ...ALL_INDEXES)],
    [
      'searchUsers',
      query(
        'DirectoryTable',
        'byFirstName',
        'byId',
        'byLastName',
        'byStatus',
        'byCountryAndFirstName',
        'byCountryAndLastName',
      ),
    ],
    [
      'listUsersByCursor',
      query('DirectoryTable', ...INDEXES_BY_ID, 'byEmail', 'byLastName', 'byCountryAndEmail', 'byCountryAndLastName'),
    ],
    ['fold', [...FOLD, ...READ_STREAM]],
    ['unknownRoute', []],
    ['authorizer', []],
    ['getOpenApi', []],
    ['getDocs', []],
    ['getDocsFile', []],
  ])('allows %s exactly %j', (operation, grants) => {
    expect(grantsOf(templates[stage], operation)).toEqual(grants.sort());
  });

  test('has no shared role, and no permission on everything except tracing, which has no resources', () => {
    const roles = ofType(templates[stage], 'AWS::IAM::Role').map(([name]) => name);
    expect(roles).toHaveLength(functionsOf(stage).length);
    for (const operation of functionsOf(stage)) {
      for (const { Action, Resource } of statementsOf(templates[stage], operation)) {
        expect(Action.join()).not.toContain('*');
        const expected = Action[0]?.startsWith('xray:') ? 'everything' : 'resources';
        expect(Resource === '*' ? 'everything' : 'resources').toBe(expected);
      }
    }
  });

  test('folds after writes and every minute, and does not repeat a failed fold', () => {
    const [[, mapping] = []] = ofType(templates[stage], 'AWS::Lambda::EventSourceMapping');
    expect(ofType(templates[stage], 'AWS::Lambda::EventSourceMapping')).toHaveLength(1);
    expect(mapping?.Properties).toEqual({
      BatchSize: 1000,
      Enabled: true,
      EventSourceArn: { 'Fn::GetAtt': ['UsersTable', 'StreamArn'] },
      FunctionName: { 'Fn::GetAtt': ['FoldLambdaFunction', 'Arn'] },
      StartingPosition: 'LATEST',
      MaximumBatchingWindowInSeconds: 2,
      MaximumRetryAttempts: 0,
    });
    expect(templates[stage].UsersTable?.Properties.StreamSpecification).toEqual({ StreamViewType: 'KEYS_ONLY' });
    expect(schedulesOf(templates[stage])).toEqual(['rate(1 minute)']);
    expect(templates[stage].FoldLambdaFunction?.Properties.Environment).toMatchObject({
      Variables: { MINIMUM_AGE_MS: '2000', LISTING_BUDGET: '3000' },
    });
  });

  test('has the keys and indexes of the fields, each with the whole user', () => {
    const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } = templates[stage].UsersTable?.Properties ?? {};
    expect(KeySchema).toEqual([{ AttributeName: 'id', KeyType: 'HASH' }]);
    expect(
      (AttributeDefinitions as { AttributeName: string }[]).map(({ AttributeName }) => AttributeName).sort(),
    ).toEqual([
      'ageKey',
      'countryKey',
      'emailKey',
      'firstNameKey',
      'id',
      'kind',
      'lastNameKey',
      'nameKey',
      'statusCountryKey',
      'statusKey',
    ]);
    const indexes = GlobalSecondaryIndexes as { IndexName: string; Projection: object }[];
    expect(indexes.map(({ IndexName }) => IndexName).sort()).toEqual(ALL_INDEXES.toSorted());
    for (const { Projection } of indexes)
      expect(Projection).toEqual({ ProjectionType: 'INCLUDE', NonKeyAttributes: ['version', 'fields'] });
  });

  test('has tables on demand, encrypted with a managed key', () => {
    const tables = ofType(templates[stage], 'AWS::DynamoDB::Table').map(([, { Properties }]) => Properties);
    expect(tables.map(({ TableName }) => TableName)).toEqual([
      `user-management-${stage}-users`,
      `user-management-${stage}-directory`,
    ]);
    for (const table of tables)
      expect(table).toMatchObject({ BillingMode: 'PAY_PER_REQUEST', SSESpecification: { SSEEnabled: true } });
  });

  test('gives the errors of the gateway the shape of all errors, with their status', () => {
    const responses = ofType(templates[stage], 'AWS::ApiGateway::GatewayResponse').map(
      ([, { Properties }]) => Properties,
    );
    expect(responses.map(({ ResponseType }) => ResponseType)).toEqual(
      expect.arrayContaining([
        'DEFAULT_4XX',
        'DEFAULT_5XX',
        'MISSING_AUTHENTICATION_TOKEN',
        'REQUEST_TOO_LARGE',
        'THROTTLED',
        'UNAUTHORIZED',
        'INTEGRATION_TIMEOUT',
      ]),
    );
    for (const { StatusCode, ResponseTemplates } of responses) {
      const body = JSON.parse((ResponseTemplates as Record<string, string>)['application/json'] ?? '');
      expect(body).toEqual({ status: Number(StatusCode), message: expect.any(String) });
    }
  });
});

interface Method {
  HttpMethod: string;
  AuthorizationType: string;
  ResourceId: { Ref: string };
}

/** `METHOD path` of the methods that need a token. */
function guardedMethods(template: Template): string[] {
  const methods = ofType(template, 'AWS::ApiGateway::Method').map(
    ([, { Properties }]) => Properties as object as Method,
  );
  return methods
    .filter(({ AuthorizationType }) => AuthorizationType === 'CUSTOM')
    .map(({ HttpMethod, ResourceId }) => `${HttpMethod} ${pathOf(template, ResourceId.Ref)}`)
    .sort();
}

function pathOf(template: Template, resource: string): string {
  const { PathPart, ParentId } = (template[resource] as Resource).Properties as {
    PathPart: string;
    ParentId: { Ref?: string };
  };
  return `${ParentId.Ref ? pathOf(template, ParentId.Ref) : ''}/${PathPart}`;
}

describe('authentication', () => {
  test.each(['staging', 'prod'] as const)('protects every route for users at %s', (stage) => {
    const expected = ROUTES.filter(({ scope }) => scope !== undefined).flatMap(({ method, path }) =>
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

  test('is required: prod without an issuer is refused in one sentence', () => {
    const program = packageProgram('prod', join(folder, 'none'));
    const { status, stdout } = spawnSync(process.execPath, program, { cwd: ROOT, env: {}, encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stdout.trim()).toBe(
      'Error:\nStage prod needs authentication: set OIDC_ISSUER to the URL of the issuer of your tokens.',
    );
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
  test.each(['staging', 'prod'] as const)('watches stage %s by the names that its resources have', (stage) => {
    const template = templates[stage];
    expect(ofType(template, 'AWS::CloudWatch::Alarm')).toHaveLength(6);
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

describe('a stage that uses other tables', () => {
  test('does not create them, and has the same permissions on them as on its own', () => {
    const restored = { USERS_TABLE: 'users-restored', DIRECTORY_TABLE: 'directory-restored' };
    const template = packageStage('restored', { OIDC_ISSUER: 'none', ...restored }, shell.root);
    expect(ofType(template, 'AWS::DynamoDB::Table')).toEqual([]);
    expect(template.GetUserLambdaFunction?.Properties.Environment).toMatchObject({ Variables: restored });
    expect(grantsOf(template, 'replaceUser')).toEqual([
      'dynamodb:GetItem users-restored',
      'dynamodb:PutItem directory-restored',
      'dynamodb:PutItem users-restored',
    ]);
    // These tables have no stream.
    expect(ofType(template, 'AWS::Lambda::EventSourceMapping')).toEqual([]);
    expect(schedulesOf(template)).toEqual(['rate(1 minute)']);
    expect(grantsOf(template, 'fold')).toEqual([
      ...on('directory-restored', 'BatchWriteItem', 'PutItem', 'Query'),
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

describe('a stage with one other table', () => {
  test('is refused in one sentence', () => {
    const program = packageProgram('prod', join(folder, 'none'));
    const env = { ...ISSUER, USERS_TABLE: '', DIRECTORY_TABLE: '' };
    const { status, stdout } = spawnSync(process.execPath, program, { cwd: ROOT, env, encoding: 'utf8' });
    expect({ status, stdout: stdout.trim() }).toEqual({
      status: 1,
      stdout: 'Error:\nSet both USERS_TABLE and DIRECTORY_TABLE to the names of tables, or neither.',
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

describe('every stage', () => {
  test.each(STAGES)('%s has a regional API, so that a stream may be silent for five minutes', (stage) => {
    expect(only(templates[stage], 'AWS::ApiGateway::RestApi').Properties.EndpointConfiguration).toEqual({
      Types: ['REGIONAL'],
    });
  });

  test.each(STAGES)('%s gives a whole processor to listings', (stage) => {
    const small = Object.keys(LISTINGS).filter(
      (name) => templates[stage][lambdaId(name)]?.Properties.MemorySize !== 1769,
    );
    expect(small).toEqual([]);
  });

  test.each(STAGES)('%s reserves no concurrency and sets no boundary by default', (stage) => {
    for (const [, { Properties }] of ofType(templates[stage], 'AWS::Lambda::Function'))
      expect(Properties).not.toHaveProperty('ReservedConcurrentExecutions');
    for (const [, { Properties }] of ofType(templates[stage], 'AWS::IAM::Role'))
      expect(Properties).not.toHaveProperty('PermissionsBoundary');
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
