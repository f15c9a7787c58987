import { join } from 'node:path';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ROUTES } from '../../lib/http/routes.ts';
import { context as requestContext } from '../../tools/samples/events.ts';
import { logOfEachTest } from '../support/logs.ts';
import { temporaryFolder } from '../support/programs.ts';
import { serviceOn } from '../support/service.ts';
import { storeEndpoint } from '../support/shared.ts';

/** Every function as Lambda loads it, with events as AWS's documents and the plugin's source show them. */

type Handler = (event: unknown, context: Context) => Promise<APIGatewayProxyResult>;

const context = { ...requestContext, getRemainingTimeInMillis: () => 300_000 };

const log = logOfEachTest();

const folder = temporaryFolder();

const service = await serviceOn.embedded();
await service.users.createMany([
  { name: 'Ann', status: 'on' },
  { name: 'Bea', status: 'off' },
]);
const environment = {
  ...{ USERS_TABLE: service.tables.users, DIRECTORY_TABLE: service.tables.directory },
  ...{ AWS_ENDPOINT_URL_DYNAMODB: await storeEndpoint(), OIDC_ISSUER: 'none', OIDC_AUDIENCE: 'a' },
  ...{ EVENTS_FILE: join(folder, 'events.ndjson') },
};

/** The environment of a test ends with it. The AWS SDK reads its part at the first call. */
function setEnvironment(): void {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
}

setEnvironment();
vi.resetModules();
const names = [...ROUTES.map(({ operation }) => operation), 'unknownRoute', 'authorizer', 'fold', 'sendEvents'];
const load = async (name: string) => [name, (await import(`../../functions/${name}.ts`)).handler];
const handlers: Record<string, Handler> = Object.fromEntries(await Promise.all(names.map(load)));

beforeEach(setEnvironment);

const query = { queryStringParameters: { status: 'nobody' }, rawQueryString: 'status=nobody' };
const http = { method: 'GET', path: '/api/users', protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'a' };

const FOREIGN: Record<string, unknown> = {
  'an HTTP API, payload format 2.0': {
    ...{ version: '2.0', routeKey: 'GET /api/users', rawPath: '/api/users', headers: { accept: '*/*' }, ...query },
    requestContext: { accountId: '1', apiId: 'a', http, stage: '$default', timeEpoch: 1 },
    isBase64Encoded: false,
  },
  'a load balancer': {
    requestContext: { elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:eu-central-1:1:targetgroup/a/1' } },
    ...{ httpMethod: 'GET', path: '/api/users', queryStringParameters: { status: 'nobody' }, headers: {}, body: '' },
    isBase64Encoded: false,
  },
  'a schedule': { version: '0', id: '1', 'detail-type': 'Scheduled Event', source: 'aws.events', detail: {} },
  'a queue': { Records: [{ messageId: '1', body: '{"name":"Ann"}', eventSource: 'aws:sqs', attributes: {} }] },
  'nobody: {}': {},
  'nobody: null': null,
};

describe.each(Object.entries(FOREIGN))('an event of %s', (_, event) => {
  test('is a 500 of the usual shape in every function of a route, is logged, and reads and writes nothing', async () => {
    for (const name of [...ROUTES.map(({ operation }) => operation), 'unknownRoute']) {
      log.faults.length = log.requests.length = 0;
      const response = await handlers[name]?.(structuredClone(event), context);
      expect([name, response?.statusCode, response?.body]).toEqual([
        ...[name, 500, '{"status":500,"message":"Internal server error"}'],
      ]);
      expect(log.faults).toMatchObject([{ message: expect.stringContaining('not one of a REST API') }]);
      expect(log.requests).toMatchObject([{ route: 'none', status: 500, calls: 0 }]);
    }
  });

  test('gives nobody a policy, and is logged', async () => {
    await expect(handlers.authorizer?.(event, context)).rejects.toThrow('The token could not be verified');
    expect(log.faults).toMatchObject([{ message: 'The event is not one of a TOKEN authorizer of a REST API' }]);
  });

  // Every caller that may call them asks for the same, whatever the event says.
  test.each(['fold', 'sendEvents'])('makes %s run as usual', async (name) => {
    await handlers[name]?.(event, context);
    expect(log.faults).toEqual([]);
    expect(log.requests).toHaveLength(1);
  });
});

test('an authorizer that gets no token answers Unauthorized, not a fault', async () => {
  const methodArn = 'arn:aws:execute-api:eu-central-1:1:a/dev/GET/api/users';
  await expect(handlers.authorizer?.({ type: 'TOKEN', methodArn }, context)).rejects.toThrow('Unauthorized');
  expect(log.faults).toEqual([]);
});

const REST = {
  ...{ resource: '/api/users', path: '/api/users', httpMethod: 'GET', isBase64Encoded: false, body: null },
  ...{ headers: null, multiValueHeaders: null, queryStringParameters: null, multiValueQueryStringParameters: null },
  ...{ pathParameters: null, stageVariables: null },
  requestContext: { resourcePath: '/api/users', httpMethod: 'GET', path: '/api/users', stage: 'test-invoke-stage' },
};

describe('an event of a REST API', () => {
  test.each<[string, Partial<Record<keyof APIGatewayProxyEvent, unknown>>, number]>([
    ['its console, where all maps are null', {}, 2],
    ['an HTTP API, payload format 1.0', { version: '1.0' } as object, 2],
    ['a gateway', { multiValueQueryStringParameters: { status: ['on'] }, queryStringParameters: { status: 'on' } }, 1],
    ['whoever gives maps of single values only', { queryStringParameters: { status: 'on', size: null } }, 1],
    ['the same with no such user', { queryStringParameters: { status: 'nobody' } }, 0],
  ])('of %s is read', async (_, members, total) => {
    const response = await handlers.listUsers?.({ ...REST, ...members }, context);
    expect(JSON.parse(response?.body ?? '')).toMatchObject({ totalElements: total });
    expect(log.faults).toEqual([]);
  });

  test('behind the base path of a domain has that path in its links', async () => {
    const event = { ...REST, path: '/v1/api/users', requestContext: { ...REST.requestContext, path: '/v1/api/users' } };
    const response = await handlers.listUsers?.({ ...event, queryStringParameters: { size: '1' } }, context);
    expect(response?.headers?.link).toContain('</v1/api/users?page=1&size=1>; rel="next"');
  });
});
