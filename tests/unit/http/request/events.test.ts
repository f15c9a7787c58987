import type { APIGatewayProxyEvent } from 'aws-lambda';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { endpointWithBody } from '../../../../lib/http/endpointWithBody.ts';
import { ANY_FIELD, LISTINGS } from '../../../../lib/http/listingRules.ts';
import { readId } from '../../../../lib/http/request/id.ts';
import { readIdempotencyKey } from '../../../../lib/http/request/idempotencyKey.ts';
import { noParameters } from '../../../../lib/http/request/input.ts';
import { patchBody } from '../../../../lib/http/request/patch.ts';
import { readPageQuery, readQuery } from '../../../../lib/http/request/queries.ts';
import { userBody } from '../../../../lib/http/request/userBody.ts';
import { basePathOf, noContent, okText } from '../../../../lib/http/response/responses.ts';
import { context, event } from '../../../support/events.ts';

const echo = endpoint(
  (request) => ({
    ...readPageQuery(request, { filters: ['status'], sort: ANY_FIELD }),
    key: readIdempotencyKey(request) ?? null,
  }),
  async ({ number, size, key }, request) =>
    okText('text/plain', JSON.stringify([number, size, key, basePathOf(request)])),
);

const post = endpointWithBody(userBody, noParameters, async () => noContent());
const patch = endpointWithBody(patchBody, noParameters, async () => noContent());

describe('an event of API Gateway', () => {
  const absent = (value: null | undefined) =>
    Object.fromEntries(
      [
        ...['headers', 'multiValueHeaders', 'queryStringParameters', 'multiValueQueryStringParameters'],
        ...['pathParameters', 'stageVariables', 'requestContext', 'body'],
      ].map((name) => [name, value]),
    );

  test.each([
    ['null', absent(null)],
    ['undefined', absent(undefined)],
    ['without a path', { ...absent(null), path: null, resource: null }],
    ['with headers that are null', { headers: { 'If-Match': null, accept: null, 'Idempotency-Key': null } }],
  ])('may lack members that the service does not require: %s', async (_, members) => {
    const response = await echo(event('', members as Partial<APIGatewayProxyEvent>), context);
    expect(response).toMatchObject({ statusCode: 200, body: '[0,20,null,""]' });
  });

  test('that lacks required members gets an error in the usual shape', async () => {
    const get = endpoint(readId, async (id) => okText('text/plain', String(id)));
    const request = () => event('', absent(null) as Partial<APIGatewayProxyEvent>);
    expect(await post(request(), context)).toMatchObject({
      statusCode: 400,
      body: '{"status":400,"message":"Request body is required"}',
    });
    expect(await get(request(), context)).toMatchObject({
      statusCode: 400,
      body: '{"status":400,"message":"id must be a 64-bit integer"}',
    });
  });
});

describe('Accept', () => {
  const list = endpoint(noParameters, async (_, { headers }) => okText('text/csv', headers.accept ?? ''), [
    'text/csv',
    'application/json',
  ]);

  test.each([
    ['text/csv; charset=utf-8', 'text/csv'],
    ['application/json;charset="UTF-8";q=0.5, text/csv ;charset=utf-8', 'application/json;q=0.5, text/csv'],
    ['application/problem+json; charset=utf-8', 'application/problem+json'],
    ['', '*/*'],
    [' ', '*/*'],
  ])('of %j means %j: all representations are UTF-8', async (accept, meant) => {
    const response = await list(event('', { headers: { Accept: accept } }), context);
    expect(response).toMatchObject({ statusCode: 200, body: meant });
  });

  test.each(['text/csv; charset=iso-8859-1', 'text/csv; charset=utf-80', 'text/csv; header=absent', 'x'])(
    'of %j is refused: no representation has this parameter',
    async (accept) => {
      expect((await list(event('', { headers: { accept } }), context)).statusCode).toBe(406);
    },
  );
});

describe('a path below /api/users that is not an id', () => {
  test.each([
    ['all', 'PATCH', null, 'application/json'],
    ['search', 'PUT', '{', 'application/json'],
    ['cursor', 'PATCH', 'x', 'text/plain'],
    ['all', 'DELETE', '[]', 'application/json-patch+json'],
  ])('such as %s refuses %s with 405, whatever the body: %j of type %s', async (id, httpMethod, body, type) => {
    const resource = '/api/users/{id}';
    const headers = { 'content-type': type };
    const request = event('', { httpMethod, resource, pathParameters: { id }, body, headers });
    expect(await patch(request, context)).toMatchObject({
      statusCode: 405,
      headers: { allow: 'GET, HEAD, OPTIONS' },
      body: `{"status":405,"message":"Method ${httpMethod} is not allowed here, only GET, HEAD, OPTIONS"}`,
    });
  });
});

describe('a body', () => {
  const nested = (levels: number, open: string, end: string) => `${open.repeat(levels)}1${end.repeat(levels)}`;
  const send = (handler: typeof post, type: string, body: string) =>
    handler(event('', { body, headers: { 'content-type': type } }), context);
  const tooDeep = {
    statusCode: 400,
    body: '{"status":400,"message":"Request body must not be nested deeper than 100 levels"}',
  };

  test.each([
    [post, 'application/json', (levels: number) => `{"name":"Ann","x":${nested(levels - 1, '[', ']')}}`],
    [post, 'application/json', (levels: number) => `{"name":"Ann","x":${nested(levels - 1, '{"a":', '}')}}`],
    [patch, 'application/json', (levels: number) => `{"x":${nested(levels - 1, '{"a":', '}')}}`],
    [patch, 'application/merge-patch+json', (levels: number) => `{"x":${nested(levels - 1, '[', ']')}}`],
    [
      patch,
      'application/json-patch+json',
      (levels: number) => `[{"op":"add","path":"/x","value":${nested(levels - 2, '[', ']')}}]`,
    ],
  ])('may have at most 100 levels: %#', async (handler, type, body) => {
    expect((await send(handler, type, body(100))).statusCode).toBe(204);
    for (const levels of [101, 20_000, 150_000]) expect(await send(handler, type, body(levels))).toMatchObject(tooDeep);
  });

  test.each([
    ['{"name":"Ann","__proto__":{"a":1}}'],
    ['{"name":"Ann","x":[{"__proto__":null}]}'],
    ['{"name":"Ann","\\u005f_proto__":1}'],
    ['{"name":"Ann","constructor":{"prototype":{}}}'],
  ])('is refused for a name that could change a prototype: %s', async (body) => {
    const message = 'Request body must not have a member __proto__, or constructor with a member prototype';
    for (const handler of [post, patch]) {
      expect(await send(handler, 'application/json', body)).toMatchObject({
        statusCode: 400,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ status: 400, message }),
      });
    }
  });

  test('with a megabyte of opening brackets is not valid JSON', async () => {
    const message = '{"status":400,"message":"Request body is not valid JSON"}';
    expect(await send(post, 'application/json', '['.repeat(1_048_576))).toMatchObject({
      statusCode: 400,
      body: message,
    });
  });
});

describe('a handler', () => {
  const receive = vi.fn(async (_: unknown) => noContent());
  const list = endpoint((request) => readQuery(request, LISTINGS.listUsers), receive);
  const replaceById = endpointWithBody(userBody, readId, receive);
  const patchById = endpointWithBody(patchBody, readId, receive);
  const withBody = (id: string, body: string, headers = {}) => event('', { pathParameters: { id }, body, headers });

  beforeEach(() => {
    receive.mockClear();
  });

  test('receives the parameters as values', async () => {
    await list(event('page=2&size=500&status=active&sort=name,desc'), context);
    await list(event('cursor=17&keyword=ski'), context);
    const order = ['name', 'id'].map((property) => ({ property, direction: 'desc' }));
    expect(receive.mock.calls.map(([query]) => query)).toEqual([
      { number: 2, size: 100, order, filters: { status: 'active' } },
      { after: 17, size: 20, filters: {}, keyword: 'ski' },
    ]);
  });

  test.each([
    ['the id belongs to no user', replaceById, withBody('0', '{"name":"Ann"}'), 404, 'User not found with id: 0'],
    ['the body is no JSON', replaceById, withBody('x', '{'), 400, 'Request body is not valid JSON'],
    ['body and id are wrong: the body is reported', replaceById, withBody('x', '{}'), 400, 'Name is required'],
    ['the patch is no patch', patchById, withBody('7', '[]'), 400, 'Request body must be a JSON object'],
    [
      'the client cannot read the response, whatever else is wrong',
      replaceById,
      withBody('x', '{', { accept: 'text/plain' }),
      406,
      expect.any(String),
    ],
  ])('is not called when %s', async (_, handler, request, status, message) => {
    const response = await handler(request, context);
    expect(JSON.parse(response.body)).toEqual({ status, message });
    expect(receive).not.toHaveBeenCalled();
  });
});
