import { readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { idleDollars } from '../../bench/dollars.ts';
import { ROUTES } from '../../lib/http/routes.ts';
import { needsToken } from '../../lib/rest/index.ts';
import { usersTableSchema } from '../../lib/users/indexes.ts';
import { refusalsOf } from '../../tools/check/awsRules/rules.ts';
import { grantsOf as grantsInWords } from '../../tools/deploy/permissions.ts';
import { ofType, type Resource } from '../../tools/deploy/resource.ts';
import type { GatewayResponse } from '../../tools/local/gatewayResponses.ts';
import { wordsOf } from '../support/bundles.ts';
import { readTemplate } from '../support/cloudFormation.ts';
import { filesLike, ROOT } from '../support/files.ts';
import {
  folder,
  functionsIn,
  functionsOf,
  grantsOf,
  ISSUER,
  only,
  packageStage,
  propertiesOf,
  schedulesOf,
  statementsOf,
  type Template,
} from '../support/template.ts';

const STAYS = 'RetainExceptOnCreate';

/** The stages of serverless.yml, and how they differ. */
const STAGES = [
  {
    stage: 'dev',
    environment: { OIDC_ISSUER: 'none' },
    origins: '*',
    gatewayOrigin: "'*'",
    logs: [7, undefined],
    tables: { policy: 'Delete', isProtected: false, canBeRestored: false },
  },
  {
    stage: 'staging',
    environment: ISSUER,
    origins: '',
    gatewayOrigin: undefined,
    logs: [30, undefined],
    tables: { policy: 'Delete', isProtected: false, canBeRestored: true },
  },
  {
    stage: 'prod',
    environment: { ...ISSUER, CORS_ORIGINS: 'https://a.example https://b.example' },
    origins: 'https://a.example https://b.example',
    gatewayOrigin: 'method.request.header.Origin',
    logs: [365, STAYS],
    tables: { policy: STAYS, isProtected: true, canBeRestored: true },
  },
];

/** The words of a function. A template has partitions as conditions. */
const inWords = (name: string): string[] =>
  grantsInWords(wordsOf(name))
    .map((grant) => grant.replace(/#\w+$/, ''))
    .sort();

const HEADER = 'gatewayresponse.header';

/** `METHOD path` of the methods that need a token. */
function guardedMethods(template: Template): string[] {
  const pathOf = (id: string): string => {
    const { PathPart, ParentId } = (template[id] as Resource).Properties as {
      PathPart: string;
      ParentId: { Ref?: string };
    };
    return `${ParentId.Ref ? pathOf(ParentId.Ref) : ''}/${PathPart}`;
  };
  return propertiesOf(template, 'ApiGateway::Method')
    .filter(({ AuthorizationType }) => AuthorizationType === 'CUSTOM')
    .map(({ HttpMethod, ResourceId }) => `${HttpMethod} ${pathOf((ResourceId as { Ref: string }).Ref)}`)
    .sort();
}

describe.each(STAGES)('stage $stage', ({ stage, environment, origins, gatewayOrigin, logs, tables }) => {
  const isOpen = stage === 'dev';
  const functions = functionsOf(isOpen);
  // Stage dev has the real functions. Only one file at a time can package in the folder of the project.
  const { template, printed } = packageStage(stage, environment, ...(isOpen ? [ROOT] : []));

  test('has one function and one zip per operation and for the catch-all, traced unless it is dev, or runs by the minute', () => {
    expect(functionsIn(template)).toEqual(functions);
    const zips = readdirSync(join(folder, stage)).filter((file) => file.endsWith('.zip'));
    expect(zips.sort()).toEqual(functions.map((name) => `${name}.zip`));
    for (const { FunctionName, Runtime, TracingConfig } of propertiesOf(template, 'Lambda::Function')) {
      const Mode = String(FunctionName).endsWith('-fold') ? 'PassThrough' : isOpen ? undefined : 'Active';
      expect([Runtime, TracingConfig]).toEqual(['nodejs24.x', Mode && { Mode }]);
    }
    expect(only(template, 'ApiGateway::Stage').Properties.TracingEnabled).toBe(!isOpen);
    expect(JSON.stringify(template).includes('xray:')).toBe(!isOpen);
  });

  test.runIf(isOpen)('has source maps beside the zips, which find the source of a stack', () => {
    const zipped = unzipSync(readFileSync(join(folder, stage, 'getUser.zip')))['functions/getUser.cjs'];
    const lines = new TextDecoder().decode(zipped).split('\n');
    const line = lines.findIndex((text) => text.includes('function readUser('));
    const map = new SourceMap(JSON.parse(readFileSync(join(folder, stage, 'getUser.cjs.map'), 'utf8')));
    const column = lines[line]?.indexOf('readUser(') ?? -1;
    expect(map.findOrigin(line + 1, column + 1)).toMatchObject({ fileName: 'lib/users/database.ts' });
  });

  test('costs at most three dollars a month without requests, by list prices', () => {
    const { monitoring = 0, ...others } = idleDollars(template);
    const sum = Object.values(others).reduce((all, each) => all + each, 0);
    expect(others.traces).toBe(0);
    expect(sum).toBeGreaterThan(0.05);
    expect(sum).toBeLessThan(0.15);
    // Without alarms the metrics of the fold remain.
    expect(monitoring).toBeCloseTo(isOpen ? 1.2 : 2.7);
    expect(sum + monitoring).toBeLessThanOrEqual(3);
  });

  test('has nothing that AWS is known to refuse', () => {
    expect(refusalsOf(template)).toEqual([]);
  });

  test('has the documentation viewer only in its function', () => {
    const files = Object.keys(unzipSync(readFileSync(join(folder, stage, 'getDocsFile.zip'))));
    const viewer = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'swagger-ui.css'];
    expect(files.sort()).toEqual([
      'functions/getDocsFile.cjs',
      ...viewer.map((file) => `node_modules/swagger-ui-dist/${file}`),
    ]);
  });

  test.each(functions)('gives %s exactly the permissions that its words in serverless.yml mean', (name) => {
    expect(grantsOf(template, name)).toEqual(inWords(name));
  });

  test('has a role for each function, with permissions on all resources only for tracing, which has none', () => {
    const roles = propertiesOf(template, 'IAM::Role');
    expect(roles).toHaveLength(functions.length);
    for (const role of roles) expect(role).not.toHaveProperty('PermissionsBoundary');
    for (const { Action, Resource } of functions.flatMap((name) => statementsOf(template, name))) {
      expect(Action.join()).not.toContain('*');
      expect([Action, Resource.includes('*')]).toEqual([Action, Action.some((action) => action.startsWith('xray:'))]);
    }
  });

  test('has all users only in the memory of functions that list, and of the fold', () => {
    const all = propertiesOf(template, 'Lambda::Function').filter(({ MemorySize }) => MemorySize === 1769);
    const names = all.map(({ FunctionName }) => String(FunctionName).replace(`user-management-${stage}-`, ''));
    const listing = functions.filter((name) => wordsOf(name).some((word) => ['readLists', 'fold'].includes(word)));
    expect(names.sort(), 'the functions with the memorySize listMemory in serverless.yml').toEqual(listing.sort());
  });

  test('compresses large responses, and streams all users', () => {
    expect(only(template, 'ApiGateway::RestApi').Properties.MinimumCompressionSize).toBe(1024);
    const integrations = propertiesOf(template, 'ApiGateway::Method').map(({ Integration }) =>
      JSON.stringify(Integration),
    );
    const streams = integrations.filter((integration) => integration.includes('"ResponseTransferMode":"STREAM"'));
    expect(streams).toHaveLength(2);
    for (const each of streams) expect(each).toContain('ListAllUsersLambdaFunction');
  });

  test('runs the fold after writes and every minute, and does not repeat a failed run', () => {
    expect(propertiesOf(template, 'Lambda::EventSourceMapping')).toMatchObject([
      {
        EventSourceArn: { 'Fn::GetAtt': ['UsersTable', 'StreamArn'] },
        FunctionName: { 'Fn::GetAtt': ['FoldLambdaFunction', 'Arn'] },
        MaximumRetryAttempts: 0,
      },
    ]);
    expect(template.UsersTable?.Properties.StreamSpecification).toEqual({ StreamViewType: 'KEYS_ONLY' });
    expect(schedulesOf(template)).toEqual(['rate(1 minute)']);
  });

  test('has tables with their keys and indexes, paid on demand, encrypted for nothing, and protected as it should be', () => {
    for (const [, table] of ofType(template, 'DynamoDB::Table'))
      expect(table).toMatchObject({
        DeletionPolicy: tables.policy,
        UpdateReplacePolicy: 'Retain',
        Properties: {
          BillingMode: 'PAY_PER_REQUEST',
          DeletionProtectionEnabled: tables.isProtected,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: tables.canBeRestored },
        },
      });
    const names = propertiesOf(template, 'DynamoDB::Table').map(({ TableName }) => TableName);
    expect(names).toEqual([`user-management-${stage}-users`, `user-management-${stage}-directory`]);
    expect(template.UsersTable?.Properties).toMatchObject(usersTableSchema());
    // Lives expire in the one, idempotency keys and kept changes in the other.
    for (const { TimeToLiveSpecification } of propertiesOf(template, 'DynamoDB::Table'))
      expect(TimeToLiveSpecification).toEqual({ AttributeName: 'ttl', Enabled: true });
    for (const { SSESpecification } of propertiesOf(template, 'DynamoDB::Table'))
      expect(SSESpecification).toEqual({ SSEEnabled: false });
    expect(JSON.stringify(template)).not.toMatch(/kms:|KMS/);
  });

  test('keeps its logs for its time, and knows its origins and its issuer', () => {
    const groups = ofType(template, 'Logs::LogGroup').map(([, group]) => group);
    const expected = Array(functions.length + (isOpen ? 0 : 1)).fill(logs);
    expect(groups.map(({ Properties, DeletionPolicy }) => [Properties.RetentionInDays, DeletionPolicy])).toEqual(
      expected,
    );
    for (const { Environment } of propertiesOf(template, 'Lambda::Function'))
      expect(Environment).toMatchObject({ Variables: { CORS_ORIGINS: origins, OIDC_ISSUER: environment.OIDC_ISSUER } });
  });

  test('has errors of the gateway in the shape of all errors, which say what is missing and when to retry', () => {
    const errors = propertiesOf(template, 'ApiGateway::GatewayResponse') as object[] as GatewayResponse[];
    for (const { StatusCode, ResponseTemplates, ResponseParameters } of errors) {
      const body = JSON.parse(ResponseTemplates['application/json']);
      expect(body).toEqual({ status: Number(StatusCode), message: expect.any(String) });
      expect(ResponseParameters?.[`${HEADER}.Access-Control-Allow-Origin`]).toBe(gatewayOrigin);
    }
    const said = (name: string, value: string) => expect.objectContaining({ [`${HEADER}.${name}`]: value });
    expect(Object.fromEntries(errors.map((each) => [each.ResponseType, each.ResponseParameters]))).toMatchObject({
      UNAUTHORIZED: said('WWW-Authenticate', "'Bearer'"),
      ACCESS_DENIED: said('WWW-Authenticate', '\'Bearer error="insufficient_scope"\''),
      AUTHORIZER_FAILURE: said('Retry-After', "'1'"),
      AUTHORIZER_CONFIGURATION_ERROR: said('Retry-After', "'1'"),
      THROTTLED: said('Retry-After', "'1'"),
    });
    expect(errors.map(({ ResponseType }) => ResponseType)).toEqual(
      expect.arrayContaining([
        ...['DEFAULT_4XX', 'DEFAULT_5XX', 'MISSING_AUTHENTICATION_TOKEN', 'REQUEST_TOO_LARGE', 'INTEGRATION_TIMEOUT'],
      ]),
    );
  });

  const settingOfLogs = () => {
    const { AccessLogSetting } = only(template, 'ApiGateway::Stage').Properties;
    return AccessLogSetting as { DestinationArn: object; Format: string } | undefined;
  };

  test.runIf(isOpen)('needs no token, no setting of the account and no address for alarms', () => {
    expect(guardedMethods(template)).toEqual([]);
    for (const type of ['ApiGateway::Authorizer', 'CloudWatch::Alarm', 'CloudWatch::Dashboard', 'SNS::Topic'])
      expect(ofType(template, type)).toEqual([]);
    expect(settingOfLogs()).toBeUndefined();
    expect(template.AccessLogGroup).toBeUndefined();
    expect(printed).not.toContain('ALARM_EMAIL');
  });

  test.skipIf(isOpen)('asks for a token at every route for users', () => {
    const expected = ROUTES.filter(needsToken).flatMap(({ method, path }) =>
      method === 'GET' ? [`GET ${path}`, `HEAD ${path}`] : [`${method} ${path}`],
    );
    expect(guardedMethods(template)).toEqual(expected.sort());
    expect(only(template, 'ApiGateway::Authorizer').Properties).toMatchObject({
      Type: 'TOKEN',
      IdentitySource: 'method.request.header.Authorization',
      AuthorizerResultTtlInSeconds: 300,
    });
    expect(template.AuthorizerLambdaFunction?.Properties.Environment).toMatchObject({ Variables: ISSUER });
  });

  test.skipIf(isOpen)('is watched by the names of its resources, and says that nobody receives its alarms', () => {
    const alarms = propertiesOf(template, 'CloudWatch::Alarm');
    expect(ofType(template, 'SNS::Topic')).toHaveLength(1);
    expect(printed).toContain(`Nobody receives the alarms of stage ${stage}: ALARM_EMAIL is not set.`);
    const watched = (dimension: string) => {
      const pattern = new RegExp(`"Name":"${dimension}","Value":"([^"]*)"`, 'g');
      return [...new Set([...JSON.stringify(alarms).matchAll(pattern)].map(([, value]) => value))].sort();
    };
    expect(watched('ApiName')).toEqual([only(template, 'ApiGateway::RestApi').Properties.Name]);
    expect(watched('Stage')).toEqual([stage]);
    expect(watched('stage')).toEqual([stage]);
    const names = propertiesOf(template, 'DynamoDB::Table').map(({ TableName }) => TableName);
    expect(watched('TableName')).toEqual(names.sort());
    // A setting, which no stage has by default: template-settings.test.ts turns it on.
    expect(ofType(template, 'CloudWatch::Dashboard')).toEqual([]);
  });

  test.skipIf(isOpen)('logs one line of JSON per request, without user data, and owns no role of the account', () => {
    const { Format = '' } = settingOfLogs() ?? {};
    expect(template.AccessLogGroup?.Properties.LogGroupName).toBe(`/aws/apigateway/user-management-${stage}`);
    const variables = Object.values(JSON.parse(Format)).join(' ').replaceAll('$context.', '').split(' ');
    expect(variables).toEqual([
      ...['requestId', 'httpMethod', 'resourcePath', 'status', 'authorizer.escapedSubject'],
      ...['responseLatency', 'responseLength', 'error.responseType'],
      ...['authorizer.status', 'integration.status', 'xrayTraceId'],
    ]);
    for (const type of ['AWS::ApiGateway::Account', 'Custom::ApiGatewayAccountRole'])
      expect(Object.values(template).filter((resource: Resource) => resource.Type === type)).toEqual([]);
  });
});

/** Templates that are written by hand. */
const STACKS = filesLike('{tools/deploy/stacks/*,doors/secret,doors/*/{secret,template}}.yml');

test.each(STACKS)('%s has nothing that AWS is known to refuse', (file) => {
  expect(refusalsOf(readTemplate(file).Resources)).toEqual([]);
});
