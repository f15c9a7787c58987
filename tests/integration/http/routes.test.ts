import { beforeAll, describe, expect, test } from 'vitest';
import { type Call, caller, checkResponse } from '../../support/httpService.ts';
import { parseResponse, sendRaw } from '../../support/rawHttp.ts';
import { type SharedService, sharedService } from '../../support/sharedService.ts';

let service: SharedService;
let call: Call;

beforeAll(async () => {
  service = await sharedService();
  call = caller(service.url);
});

/** Sends a path unchanged. fetch would normalise it. */
async function get(path: string, cookie = 'a=b') {
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: ${cookie}\r\n\r\n`;
  const { body, ...response } = parseResponse(await sendRaw(service.port, request));
  checkResponse({ method: 'GET', path, ...response, text: body });
  return { status: response.status, body: JSON.parse(body) };
}

describe('a request', () => {
  test.each(['/', '/api', '/api/user', '/api/users/1/2', '/nope?x=1'])('for %s is 404', async (path) => {
    const [pathname] = path.split('?');
    expect(await call('GET', path)).toMatchObject({
      status: 404,
      body: { status: 404, message: `Path not found: ${pathname}` },
    });
  });

  test.each([
    ['PUT', '/api/users', 'GET, HEAD, POST, OPTIONS'],
    ['DELETE', '/api/users', 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/api/users/1', 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS'],
    ['POST', '/api/users/all', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/api/users/all', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/api/users/search', 'GET, HEAD, OPTIONS'],
    ['PUT', '/api/users/cursor', 'GET, HEAD, OPTIONS'],
  ])('%s %s is 405', async (method, path, allow) => {
    const response = await call(method, path, method === 'DELETE' ? {} : { json: { name: 'Ann' } });
    expect(response).toMatchObject({
      status: 405,
      body: { message: `Method ${method} is not allowed here, only ${allow}` },
    });
    expect(response.headers.get('allow')).toBe(allow);
  });

  test.each(['/api/users/%zz', '/api/users/%C3%28', '/api/users?page=%zz', '/%'])(
    'for %s, with broken percent-encoding, is refused',
    async (path) => {
      expect(await get(path)).toEqual({ status: 400, body: { status: 400, message: expect.any(String) } });
    },
  );

  test.each(['//', '///', '//[', '//@', '//:99999999', '/\\\\', '/%2f', '//api/users'])(
    'for %s is 404',
    async (path) => {
      const message = expect.stringMatching(/^Path not found/);
      expect(await get(path)).toEqual({ status: 404, body: { status: 404, message } });
    },
  );

  test('for a range gets the whole content', async () => {
    for (const range of ['bytes=0-3', 'bytes=99999-', 'x']) {
      const { status, headers, body } = await call('GET', '/api/users', { headers: { range } });
      expect(status).toBe(200);
      expect(headers.has('accept-ranges')).toBe(false);
      expect(body).toHaveProperty('content');
    }
  });

  const BAD_REQUEST = { status: 400, body: '{"status":400,"message":"Bad request"}' };

  test.each([
    ['bytes that are not HTTP', 'garbage\r\n\r\n'],
    ['an unknown method', 'FOO /api/users HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['the method CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a missing Host', 'GET /api/users HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['too long headers', `GET /api/users HTTP/1.1\r\nHost: x\r\nA: ${'b'.repeat(20_000)}\r\n\r\n`],
    [
      'two Content-Length headers',
      'POST /api/users HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
    ],
    ['a broken chunk', 'POST /api/users HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['half a request', 'POST /api/users HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{'],
  ])('with %s is refused in the shape of all errors', async (_, request) => {
    expect(parseResponse(await sendRaw(service.port, request))).toMatchObject(BAD_REQUEST);
  });

  test('with an unknown expectation, or in HTTP/1.0, succeeds', async () => {
    const expecting = 'GET /api HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: x\r\n\r\n';
    for (const request of [expecting, 'GET /api HTTP/1.0\r\n\r\n']) {
      expect(parseResponse(await sendRaw(service.port, request))).toMatchObject({ status: 404 });
    }
  });

  test('with malformed cookies succeeds', async () => {
    expect((await get('/api/users', 'a=b c; =;;"')).status).toBe(200);
  });
});
