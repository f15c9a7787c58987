import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { needsToken, ROUTES } from '../../lib/http/routes.ts';
import {
  folder,
  guardedMethods,
  ofType,
  only,
  packageBeforeAll,
  packageProgram,
  type Resource,
  STAGES,
  shell,
  templates,
} from '../support/template.ts';

packageBeforeAll();

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

  test('is required: prod without an issuer is refused in one sentence', () => {
    const program = packageProgram('prod', join(folder, 'none'));
    const { status, stdout } = spawnSync(process.execPath, program, { cwd: shell.root, env: {}, encoding: 'utf8' });
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
