import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { fault, logFault } from '../../lib/ground/index.ts';
import { ROUTES } from '../../lib/http/routes.ts';
import { openApiDocument } from '../../lib/openapi/document.ts';
import { needsToken } from '../../lib/rest/index.ts';
import { context } from '../../tools/samples/events.ts';
import { type Invoke, loadHandlers } from '../support/calls.ts';
import { exampleFor } from '../support/examples.ts';
import { logOfEachTest, metricsOf } from '../support/logs.ts';
import { serveForTest } from '../support/programs.ts';
import { startGate } from '../support/servers.ts';
import { serviceOn } from '../support/service.ts';
import { storeEndpoint } from '../support/shared.ts';

const log = logOfEachTest();

const serve = async (): Promise<Invoke> => loadHandlers((await serviceOn.embedded()).tables, await storeEndpoint());

/** Handlers without tables, over a store that is not there or answers what a test wants. */
const serveOn = (endpoint: string) => loadHandlers({ users: 'users', directory: 'directory' }, endpoint);

const NOWHERE = 'http://127.0.0.1:1';

const at = (path: string, more: object = {}) => ({ more: { requestContext: { path, ...more } } as object });

test('the stage is in the OpenAPI document and its page, with the token if the stage needs one', async () => {
  vi.stubEnv('OIDC_ISSUER', 'https://id.example');
  const invoke = await serveOn(NOWHERE);
  const document = openApiDocument({ server: '/prod', isProtected: true });
  expect(document.components).toHaveProperty('securitySchemes.token.scheme', 'bearer');
  const { json } = await invoke('getOpenApi', at('/prod/api/openapi.json'));
  expect(json).toEqual(JSON.parse(JSON.stringify(document)));
  for (const path of ['/prod/api/docs', '/prod/api/docs/']) {
    const { body } = await invoke('getDocs', at(path));
    expect(body).toContain('data-document="/prod/api/openapi.json"');
    expect(body).toContain('src="/prod/api/docs/swagger-ui-bundle.js"');
  }
  vi.stubEnv('OIDC_ISSUER', 'none');
  const open = await serveOn(NOWHERE);
  expect((await open('getOpenApi')).json).not.toHaveProperty('components.securitySchemes');
});

/** One for all routes: it takes long to load. */
let ofScopes: Promise<Invoke> | undefined;

test.each(ROUTES.filter(needsToken))(
  '$method $path looks at the scopes, too, whatever the policy allows',
  async (route) => {
    ofScopes ??= serve();
    const invoke = await ofScopes;
    const functionName = `user-management-dev-${route.operation}`;
    const answer = (heldScopes: string | undefined, more: object = {}) =>
      invoke(route.operation, {
        id: 7,
        query: exampleFor(route.operation).query,
        body: exampleFor(route.operation).json,
        context: { ...context, functionName, getRemainingTimeInMillis: () => 501 },
        more: {
          ...{ httpMethod: route.method, resource: route.path },
          pathParameters: { id: '7', edit: '0123456789abcdef' },
          requestContext: { path: '/api/users/7', authorizer: { principalId: 'ann', heldScopes } } as never,
          ...more,
        },
      });
    const refused = {
      statusCode: 403,
      headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' },
      json: { status: 403, message: 'The token lacks the scope that this needs' },
    };
    for (const scope of route.scopes) {
      const others = ['users:read', 'users:write', 'users:audit'].filter((other) => other !== scope);
      expect(await answer(others.join(' '))).toMatchObject(refused);
      if (route.method === 'GET') expect(await answer('', { httpMethod: 'HEAD' })).toMatchObject({ statusCode: 403 });
    }
    // They go on, and have no time. A batch says so of each operation.
    const late = route.operation === 'batchUsers' ? 200 : 503;
    for (const enough of [route.scopes.join(' '), undefined]) expect((await answer(enough)).statusCode).toBe(late);
    vi.stubEnv('OIDC_ISSUER', 'https://id.example');
    expect((await answer(route.scopes.join(' '))).statusCode).toBe(late);
    for (const requestContext of [{ path: '/api/users/7' }, { authorizer: null }, { authorizer: { principalId: 'a' } }])
      expect(await answer(undefined, { requestContext })).toMatchObject(refused);
    // A route that was made by hand.
    expect(await answer(undefined, { resource: '/other', httpMethod: 'OPTIONS' })).toMatchObject(refused);
  },
);

test('a path that is no URI is encoded in links and Location: a header with such characters could not be sent', async () => {
  const invoke = await serve();
  const path = at('/a%2Fb/ü\u2028\ud800<"\r\n>/api/users');
  const encoded = '/a%2Fb/%C3%BC%E2%80%A8%EF%BF%BD%3C%22%0D%0A%3E/api/users';
  const { headers, json } = await invoke('createUser', { body: { name: 'Ann' }, ...path });
  expect(headers?.location).toBe(`${encoded}/${(json as { id: number }).id}`);
  const page = await invoke('listUsers', path);
  expect(page.headers?.link).toContain(`<${encoded}?page=0&size=20>; rel="first"`);
});

describe('a browser lets a script of https://a.example', () => {
  const RESPONSES = {
    'access-control-expose-headers':
      'Accept-Patch, Advice, Allow, ETag, Idempotency-Replayed, Ignored-Members, Link, Location, Preference-Applied, Retry-After, Server-Timing, WWW-Authenticate, X-Total-Count',
  };
  const REQUESTS = {
    'access-control-allow-methods': 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer',
    'access-control-max-age': '86400',
  };

  test.each([
    ['*', '*'],
    ['https://b.example, https://a.example', 'https://a.example'],
    ['https://b.example', undefined],
    ['', undefined],
  ])('send requests and read responses at a stage that allows the origins "%s" as %s', async (origins, allowed) => {
    vi.stubEnv('CORS_ORIGINS', origins);
    const invoke = await serveOn(NOWHERE);
    const headers = { Origin: 'https://a.example' };
    const corsOf = (response: { headers?: object | undefined }) =>
      Object.fromEntries(Object.entries(response.headers ?? {}).filter(([name]) => name.startsWith('access-control-')));
    const read = allowed === undefined ? {} : { 'access-control-allow-origin': allowed, ...RESPONSES };
    expect(corsOf(await invoke('getOpenApi', { more: { headers } }))).toEqual(read);
    expect(corsOf(await invoke('getUser', { id: 'x', more: { headers } }))).toEqual(read);
    const preflight = { httpMethod: 'OPTIONS', resource: '/api/users/{id}', headers };
    expect(corsOf(await invoke('unknownRoute', { more: preflight }))).toEqual({ ...read, ...(allowed && REQUESTS) });
  });
});

test('the cost of a request is in the log, with metrics and without user data', async () => {
  const invoke = await serve();
  // Its container has the users then.
  await invoke('listUsers');
  log.requests.length = 0;
  vi.stubEnv('STAGE', 'prod');
  vi.stubEnv('_X_AMZN_TRACE_ID', 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1');
  const created = await invoke('createUser', { body: { name: 'Secret', lastName: 'Person' } });
  await invoke('listUsers', { query: 'keyword=Person&status=Hidden' });
  await invoke('listUsers', { query: 'page=Secret' });
  const { id } = created.json as { id: number };
  const ofUser = { resource: '/api/users/{id}', headers: { 'content-type': 'application/json' } };
  await invoke('patchUser', { id, body: { age: -1, email: 'Secret' }, more: { ...ofUser, httpMethod: 'PATCH' } });
  await invoke('replaceUser', { id, more: { ...ofUser, httpMethod: 'PUT', body: '{"name":"Secret' } });
  const late = { ...context, functionName: 'user-management-dev-batchUsers', getRemainingTimeInMillis: () => 2_000 };
  const ofBatch = { httpMethod: 'POST', resource: '/api/users/batch', headers: ofUser.headers };
  const body = '{"operations":[{"op":"create","user":{"name":"Secret"}}, 5]}';
  await invoke('batchUsers', { more: { ...ofBatch, body }, context: late });
  const unknown = { httpMethod: 'POST', resource: '/{proxy+}', path: '/api/Secret' };
  await invoke('unknownRoute', { more: { ...unknown, headers: { authorization: 'Bearer Secret' } } });

  const units = ['readUnits', 'writeUnits'].map((Name) => ({ Name, Unit: 'Count' }));
  const line = (members: object, metrics = units) => ({
    level: 'info',
    requestId: 'request-1',
    function: expect.stringMatching(/^user-management-dev-\w+$/),
    route: 'GET /api/users',
    milliseconds: expect.any(Number),
    dynamoMs: expect.any(Number),
    trace: '1-5759e988-bd862e3fe1be46a994272793',
    stage: 'prod',
    _aws: metricsOf([{ Name: 'milliseconds', Unit: 'Milliseconds' }, ...metrics]),
    ...members,
  });
  const refused = (members: object) => line({ readUnits: 0, writeUnits: 0, calls: 0, ...members }, []);
  expect(log.requests).toEqual([
    // The first write of a container looks at the head, for half a unit.
    line({ status: 201, readUnits: 0.5, writeUnits: 5, calls: 2 }),
    line({ status: 200, replica: 'warm', journal: 1, changes: 1, readUnits: 1, writeUnits: 0, calls: 1 }),
    refused({ status: 400, code: 'invalid-parameter' }),
    line({ route: 'PATCH /api/users/{id}', status: 400, code: 'validation', readUnits: 1, writeUnits: 0, calls: 1 }),
    refused({ route: 'PUT /api/users/{id}', status: 400, code: 'not-json' }),
    refused({
      ...{ route: 'POST /api/users/batch', status: 200, operations: 2, failed: { 503: 2 }, faultyOperations: 2 },
      _aws: metricsOf([{ Name: 'faultyOperations', Unit: 'Count' }]),
    }),
    refused({ route: 'POST /{proxy+}', status: 404, code: 'path-not-found' }),
  ]);
  for (const secret of ['Secret', 'Person', 'Hidden', String(id)]) expect(log.text()).not.toContain(secret);
});

test('a store that tells no price serves all the same, and Server-Timing has no units', async () => {
  const { tables, fold } = await serviceOn.embedded();
  const changed = (body: string) => body.replace('"ReturnConsumedCapacity":"TOTAL",', '');
  const gate = await startGate(await storeEndpoint(), { changed });
  onTestFinished(gate.close);
  const invoke = await loadHandlers(tables, gate.url);
  const { statusCode, json, headers } = await invoke('createUser', { body: { name: 'Ann' } });
  expect([statusCode, headers?.['server-timing']]).toEqual([201, expect.stringMatching(/^dynamodb;dur=\d+$/)]);
  const { id } = json as { id: number };
  await fold();
  const page = await invoke('listUsers');
  expect(page.json).toMatchObject({ content: [{ id }], totalElements: 1 });
  expect(page.headers?.['server-timing']).toMatch(/^replica;desc=".+", journal;desc="0", .*dynamodb;dur=\d+$/);
  expect((await invoke('patchUser', { id, body: { age: 3 } })).statusCode).toBe(200);
  expect((await invoke('deleteUser', { id })).statusCode).toBe(204);
  expect((await invoke('getUser', { id })).statusCode).toBe(404);
});

describe('faults', () => {
  test.each([
    ['throttles', 400, 'ThrottlingException', 503, true],
    ['refuses', 400, 'ValidationException', 500, false],
  ])(
    'of a DynamoDB that %s end in time, and its message is logged only if that kind of error quotes no user',
    async (_, code, type, status, isLogged) => {
      let attempts = 0;
      const url = await serveForTest((request, response) => {
        request.resume();
        // Lists begin to load while a container starts.
        if (String(request.headers['x-amz-target']).endsWith('TransactWriteItems')) attempts++;
        response.writeHead(code, { 'content-type': 'application/x-amz-json-1.0' });
        const error = { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'Lee is wrong' };
        response.end(JSON.stringify(error));
      });
      const invoke = await serveOn(url);
      const response = await invoke('createUser', { body: { name: 'Ann', lastName: 'Lee' } });
      expect(response.statusCode).toBe(status);
      expect(response.headers?.['retry-after']).toBe(status === 503 ? '1' : undefined);
      expect(attempts).toBe(status === 503 ? 3 : 1);
      expect(log.faults).toMatchObject([{ level: 'error', requestId: 'request-1' }]);
      expect(log.faults[0]?.causes?.join()).toContain(type);
      expect(response.body).not.toContain('Lee');
      expect(log.text().includes('Lee')).toBe(isLogged);
    },
  );

  test('of code that quotes its input are logged only by place and kind', async () => {
    logFault(fault('Unexpected error', new SyntaxError('Unexpected token in "Ann Lee"\n    at Ann Lee')), 'request-1');
    const causes = [/^ServiceError: Unexpected error\n\s+at /, /^SyntaxError\n\s+at /].map((cause) =>
      expect.stringMatching(cause),
    );
    expect(log.faults[0]).toMatchObject({ message: 'Unexpected error', causes });
    expect(log.text()).not.toContain('Ann');
  });
});
