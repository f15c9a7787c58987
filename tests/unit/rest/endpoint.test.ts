import { beforeEach, describe, expect, test, vi } from 'vitest';
import { endpoint, endpointWithBody } from '../../../lib/http/api.ts';
import { readId } from '../../../lib/http/queries/id.ts';
import { patchBody } from '../../../lib/http/request/patch.ts';
import { userBody } from '../../../lib/http/request/userBody.ts';
import { nothing, takes } from '../../../lib/rest/index.ts';
import { chosenType } from '../../../lib/rest/mediaTypes.ts';
import { noContent, okText } from '../../../lib/rest/responses.ts';
import { userNotFound } from '../../../lib/users/errors.ts';
import { context, event } from '../../../tools/samples/events.ts';
import { logOfEachTest } from '../../support/logs.ts';

logOfEachTest();

const receive = vi.fn(async (_: unknown) => noContent());

beforeEach(() => {
  receive.mockClear();
});

const post = endpointWithBody(userBody, nothing, receive);
const put = endpointWithBody(userBody, readId, receive);
const patch = endpointWithBody(patchBody, readId, receive);

const refusal = (status: number, message: string) => ({
  statusCode: status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ status, message }),
});

/** Sends a body, to the path of a user. */
const send = (handler: typeof post, body: string, headers: Record<string, string> = {}, id = '7') =>
  handler(
    event('', { httpMethod: handler === patch ? 'PATCH' : 'POST', body, headers, pathParameters: { id } }),
    context,
  );

describe('Accept', () => {
  const TYPES = ['application/json', 'text/csv'];
  const list = endpoint(nothing, async (_, request) => okText(chosenType(request, TYPES) ?? '', ''), TYPES);
  const fail = endpoint(nothing, () => Promise.reject(userNotFound(7)), TYPES);
  const typeOf = async (handler: typeof list, accept: string | undefined) => {
    const response = await handler(event('', { headers: accept === undefined ? {} : { Accept: accept } }), context);
    return [response.statusCode, String(response.headers?.['content-type']).split(';')[0]];
  };
  const [json, csv, problem] = ['application/json', 'text/csv', 'application/problem+json'];

  test.each([
    [undefined, json, json],
    ['', json, json],
    ['*/*', json, json],
    ['text/*', csv, json],
    ['text/csv', csv, json],
    ['text/csv; charset=utf-8; header=present', csv, json],
    ['application/json; charset=UTF8, text/csv;q=0.5', json, json],
    ['application/json;odata=verbose;q=0.5, text/csv ; x="a,b;q=0" ; Q=0.6', csv, json],
    ['application/problem+json, text/csv', csv, problem],
    ['Application/Problem+JSON, application/problem+json;q=0.2', json, problem],
    ['application/json, application/problem+json', json, problem],
    ['application/problem+json, */*', json, problem],
    ['application/json, application/problem+json;q=0.9', json, json],
    ['application/problem+json;q=0, application/json', json, json],
    ['text/csv, application/problem+json;q=0.1', csv, problem],
    // A weight is 0 to 1, and a star alone is any type.
    ['application/json, text/csv;q=5', json, json],
    ['text/csv;q=2, application/json;q=1.5', csv, json],
    ['application/json;q=0.9, text/csv;q=much', csv, json],
    ['text/csv;q=-1, application/json;q=.1', json, json],
    ['application/problem+json;q=7, application/json;q=1', json, problem],
    ['*', json, json],
    ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', json, json],
    ['application/json;q=0,*;q=0.5', csv, problem],
  ])('of %j asks for %s, and for errors as %s', async (accept, type, error) => {
    expect([await typeOf(list, accept), await typeOf(fail, accept)]).toEqual([
      [200, type],
      [404, error],
    ]);
  });

  test.each([
    ...['x', 'text/html', 'application/xml, text/plain', 'application/json;q=0', '*/*;q=0'],
    'application/problem+json;q=0',
    'text/html, application/problem+json',
  ])('of %j is refused: there is no such representation', async (accept) => {
    expect((await list(event('', { headers: { accept } }), context)).statusCode).toBe(406);
  });
});

test.each(['keyword=%FF', 'x=J%FCrgen', '%C3=1', 'keyword=%ED%A0%80', 'keyword=%EF%BF%BD'])(
  'a parameter that is not UTF-8 is refused, because what was sent is lost: %s',
  async (query) => {
    const list = endpoint(
      takes(['keyword'], () => undefined),
      async () => okText('text/plain', ''),
    );
    expect((await list(event(query), context)).body).toMatch(
      /^{"status":400,"message":"\S+ must be UTF-8, and U\+FFFD /,
    );
    expect((await list(event('keyword=%F0%A0%AE%B7'), context)).statusCode).toBe(200);
  },
);

describe('a body', () => {
  const ann = '{"name":"Ann"}';

  test.each([
    [undefined, ann],
    ['Application/JSON; charset=UTF-8', ann],
    ['application/json', `\uFEFF${ann}`],
  ])('of the type %s may be %j', async (type, body) => {
    expect((await send(post, body, type === undefined ? {} : { 'content-type': type })).statusCode).toBe(204);
    expect(receive.mock.lastCall?.[0]).toMatchObject({ body: { name: 'Ann' } });
  });

  test('may have the largest user, with each character as an escape', async () => {
    const [text, label] = [200, 64].map((length) => `"${'\\ud83d\\ude00'.repeat(length)}"`);
    const body = `{"name":${text},"firstName":${text},"lastName":${text},"status":${label},"country":${label}}`;
    expect((await send(post, body)).statusCode).toBe(204);
  });

  const LATIN_1 = Buffer.from('{"name":"J\xfcrgen"}', 'latin1');
  const SURROGATE = Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1');
  const REPLACED = 'Request body must be UTF-8. U+FFFD stands for bytes that are not, or is sent as \\ufffd';
  const inBase64 = (bytes: Buffer) => ({ body: bytes.toString('base64'), isBase64Encoded: true });

  test.each([
    [inBase64(Buffer.from('{"name":"Zoë"}')), 'Zoë'],
    [inBase64(Buffer.from('\uFEFF{"name":"a\uFFFD"}')), 'a\uFFFD'],
    [{ body: '{"name":"a\\ufffd"}' }, 'a\uFFFD'],
    [
      { body: ann, headers: { 'content-type': 'application/json; Charset="utf8"', 'content-encoding': 'identity' } },
      'Ann',
    ],
  ])('is UTF-8: %j', async (request, name) => {
    expect((await post(event('', request), context)).statusCode).toBe(204);
    expect(receive.mock.lastCall?.[0]).toMatchObject({ body: { name } });
  });

  test.each([
    [inBase64(LATIN_1), 'Request body must be UTF-8'],
    [inBase64(SURROGATE), 'Request body must be UTF-8'],
    // API Gateway and the local gateway replace such bytes.
    [{ body: LATIN_1.toString() }, REPLACED],
    [{ body: '{"name":"a","x":"\uD800"}' }, REPLACED],
  ])('that is not UTF-8 is refused, and nothing is replaced: %j', async (request, message) => {
    expect(await post(event('', request), context)).toMatchObject(refusal(400, message));
  });

  test.each(['iso-8859-1', '"UTF-16"', 'utf-8; charset=latin1', ''])(
    'is refused in the charset %s',
    async (charset) => {
      const response = await send(post, ann, { 'content-type': `application/json; charset=${charset}` });
      expect(response).toMatchObject(refusal(415, 'The charset must be UTF-8'));
    },
  );

  test.each(['gzip', 'identity, br'])('is refused with the Content-Encoding %s', async (coding) => {
    const response = await send(post, ann, { 'content-encoding': coding });
    expect(response).toMatchObject(refusal(415, 'The body must not have a Content-Encoding'));
  });

  test('is all of the user in a PUT, and no range of it', async () => {
    const sent = (httpMethod: string) =>
      put(
        event('', { httpMethod, body: ann, headers: { 'content-range': 'bytes 0-3/9' }, pathParameters: { id: '7' } }),
        context,
      );
    expect(await sent('PUT')).toMatchObject(refusal(400, 'Content-Range is refused: a PUT must have the whole user'));
    expect((await sent('POST')).statusCode).toBe(204);
  });

  const rounded = 'Request body has a number with more digits than are exact';

  test.each([
    [post, 'json', '9007199254740991.4', 'Age must be positive'],
    [post, 'json', '1e-400', 'Age must be positive'],
    [post, 'json', '1e400', 'Age must be positive'],
    [post, 'json', '9007199254740993', 'Age must be at most 9007199254740991'],
    [patch, 'json-patch+json', '30.00000000000000000001', rounded],
    [patch, 'json-patch+json', '[{"a":1e-400}]', rounded],
    [patch, 'json-patch+json', '9007199254740992', rounded],
  ])('never has a number rounded: %#', async (handler, type, number, message) => {
    const body =
      handler === post ? `{"name":"Ann","age":${number}}` : `[{"op":"test","path":"/age","value":${number}}]`;
    const response = await send(handler, body, { 'content-type': `application/${type}` });
    expect(response).toMatchObject(refusal(400, message));
  });

  test.each([
    ['', 400, 'Request body is required'],
    ['   ', 400, 'Request body is required'],
    ['{"name":"Ann"', 400, 'Request body is not valid JSON'],
    ['['.repeat(65_536), 400, 'Request body is not valid JSON'],
    [`{"name":"${'x'.repeat(65_536)}"}`, 413, 'Request body must be at most 65536 bytes'],
    [`{"name":"${'é'.repeat(32_768)}"}`, 413, 'Request body must be at most 65536 bytes'],
    // The parser of the stack sends 422 for JSON that is no object.
    ['5', 400, 'Request body must be a JSON object'],
  ])('is refused: %#', async (body, status, message) => {
    expect(await send(post, body, { 'content-type': 'application/json' })).toMatchObject(refusal(status, message));
  });

  test.each([
    ...['text/plain', 'application/x-www-form-urlencoded', 'application/merge-patch+json', '__proto__', ''].map(
      (type) => [post, type, 'Content-Type must be application/json', undefined] as const,
    ),
    [
      patch,
      'text/plain',
      'Content-Type must be application/merge-patch+json or application/json-patch+json or application/json',
      'application/merge-patch+json, application/json-patch+json, application/json',
    ] as const,
  ])('is refused for its type: %#', async (handler, type, message, accepted) => {
    const response = await send(handler, ann, { 'content-type': type });
    expect(response).toMatchObject(refusal(415, message));
    expect(response.headers?.['accept-patch']).toBe(accepted);
  });

  const nested = (levels: number, open = '[', end = ']') => open.repeat(levels) + 1 + end.repeat(levels);

  test.each([
    [post, 'application/json', (levels: number) => `{"name":"Ann","x":${nested(levels - 1)}}`],
    [post, 'application/json', (levels: number) => `{"name":"Ann","x":${nested(levels - 1, '{"a":', '}')}}`],
    [patch, 'application/merge-patch+json', (levels: number) => `{"x":${nested(levels - 1)}}`],
    [patch, 'application/json-patch+json', (n: number) => `[{"op":"add","path":"/x","value":${nested(n - 2)}}]`],
  ])('may have at most 100 levels: %#', async (handler, type, body) => {
    const answer = (levels: number) => send(handler, body(levels), { 'content-type': type });
    expect((await answer(100)).statusCode).toBe(204);
    for (const levels of [101, 10_000]) {
      expect(await answer(levels)).toMatchObject(
        refusal(400, 'Request body must not be nested deeper than 100 levels'),
      );
    }
  });

  test.each([
    '{"name":"Ann","__proto__":{"a":1}}',
    '{"name":"Ann","x":[{"__proto__":null}]}',
    '{"name":"Ann","\\u005f_proto__":1}',
    '{"name":"Ann","constructor":{"prototype":{}}}',
  ])('is refused for a name that could change a prototype: %s', async (body) => {
    const message = 'Request body must not have a member __proto__, or constructor with a member prototype';
    for (const handler of [post, patch]) expect(await send(handler, body)).toMatchObject(refusal(400, message));
  });
});

test.each([
  ['the id belongs to no user', put, '0', '{"name":"Ann"}', {}, 404, 'User not found with id: 0'],
  ['body and id are wrong: the body is reported', put, 'x', '{}', {}, 400, 'Name is required'],
  ['the patch is no patch', patch, '7', '[]', {}, 400, 'Request body must be a JSON object'],
  ['nobody can read the response', put, 'x', '{', { accept: 'a/b' }, 406, 'Accept must allow application/json'],
])('a handler is not called when %s', async (_, handler, id, body, headers, status, message) => {
  const response = await send(handler, body, headers, id);
  expect(JSON.parse(response.body)).toEqual({ status, message });
  expect(receive).not.toHaveBeenCalled();
});
