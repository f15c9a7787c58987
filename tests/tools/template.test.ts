import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { LISTINGS } from '../../lib/http/listingRules.ts';
import { usersTableSchema } from '../../lib/users/indexes.ts';
import {
  folder,
  functionsOf,
  grantsInWords,
  grantsOf,
  ofType,
  only,
  packageBeforeAll,
  SIZES,
  STAGES,
  schedulesOf,
  statementsOf,
  templates,
} from '../support/template.ts';

packageBeforeAll(true);

describe.each(STAGES)('stage %s', (stage) => {
  test('has one function per operation and the catch-all, with memory, timeout, runtime and tracing', () => {
    const functions = ofType(templates[stage], 'AWS::Lambda::Function').map(([, { Properties }]) => Properties);
    expect(functions.map(({ FunctionName }) => FunctionName).sort()).toEqual(
      functionsOf(stage)
        .map((name) => `user-management-${stage}-${name}`)
        .sort(),
    );
    for (const settings of functions) {
      const name = String(settings.FunctionName).replace(`user-management-${stage}-`, '');
      expect(settings).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        MemorySize: 512,
        Timeout: 15,
        TracingConfig: { Mode: 'Active' },
        ...(name in LISTINGS && { MemorySize: 1769 }),
        ...SIZES[name],
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
    const files = Object.keys(unzipSync(readFileSync(join(folder, stage, 'getDocsFile.zip'))));
    const viewer = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js', 'swagger-ui.css'];
    expect(files.sort()).toEqual([
      'functions/getDocsFile.cjs',
      ...viewer.map((file) => `node_modules/swagger-ui-dist/${file}`),
    ]);
  });

  test.each(functionsOf(stage))('gives %s exactly the permissions that its words in serverless.yml mean', (name) => {
    expect(grantsOf(templates[stage], name)).toEqual(grantsInWords(name));
  });

  test('has no shared role, and no permission on all resources except for tracing, which has no resources', () => {
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

  test('runs the fold after writes and every minute, and does not repeat a failed run', () => {
    const [[, mapping] = []] = ofType(templates[stage], 'AWS::Lambda::EventSourceMapping');
    expect(ofType(templates[stage], 'AWS::Lambda::EventSourceMapping')).toHaveLength(1);
    expect(mapping?.Properties).toEqual({
      BatchSize: 30,
      Enabled: true,
      EventSourceArn: { 'Fn::GetAtt': ['UsersTable', 'StreamArn'] },
      FunctionName: { 'Fn::GetAtt': ['FoldLambdaFunction', 'Arn'] },
      StartingPosition: 'LATEST',
      MaximumBatchingWindowInSeconds: 10,
      MaximumRecordAgeInSeconds: 60,
      MaximumRetryAttempts: 0,
    });
    expect(templates[stage].UsersTable?.Properties.StreamSpecification).toEqual({ StreamViewType: 'KEYS_ONLY' });
    expect(schedulesOf(templates[stage])).toEqual(['rate(1 minute)']);
    expect(templates[stage].FoldLambdaFunction?.Properties.Environment).toMatchObject({
      Variables: { MINIMUM_AGE_MS: '2000', LISTING_BUDGET: '3000' },
    });
  });

  test('has tables with the keys and indexes of the fields', () => {
    expect(templates[stage].UsersTable?.Properties).toMatchObject(usersTableSchema());
  });

  test('has tables that are paid on demand, and encrypted with a managed key', () => {
    const tables = ofType(templates[stage], 'AWS::DynamoDB::Table').map(([, { Properties }]) => Properties);
    expect(tables.map(({ TableName }) => TableName)).toEqual([
      `user-management-${stage}-users`,
      `user-management-${stage}-directory`,
    ]);
    for (const { BillingMode, SSESpecification } of tables)
      expect({ BillingMode, SSESpecification }).toEqual({
        BillingMode: 'PAY_PER_REQUEST',
        SSESpecification: { SSEEnabled: true },
      });
    expect(JSON.stringify(templates[stage])).not.toContain('kms:');
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

  test('has a regional API, so that a stream may be silent for five minutes', () => {
    expect(only(templates[stage], 'AWS::ApiGateway::RestApi').Properties.EndpointConfiguration).toEqual({
      Types: ['REGIONAL'],
    });
  });

  test('reserves no concurrency and sets no boundary by default', () => {
    for (const [, { Properties }] of ofType(templates[stage], 'AWS::Lambda::Function'))
      expect(Properties).not.toHaveProperty('ReservedConcurrentExecutions');
    for (const [, { Properties }] of ofType(templates[stage], 'AWS::IAM::Role'))
      expect(Properties).not.toHaveProperty('PermissionsBoundary');
  });
});
