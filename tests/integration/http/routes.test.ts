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

  test.each(['all', 'search', 'cursor', 'changes', 'x'])(
    'for the changes of %s, which is no id, is refused as such; OPTIONS names the methods',
    async (id) => {
      const path = `/api/users/${id}/changes`;
      const message = 'id must be a 64-bit integer';
      for (const method of ['GET', 'DELETE'])
        expect(await call(method, path)).toMatchObject({ status: 400, body: { status: 400, message } });
      const options = await call('OPTIONS', path);
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, DELETE, OPTIONS']);
    },
  );

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

describe('several lines of a header are one list:', () => {
  async function create() {
    const { body, headers } = await call('POST', '/api/users', { json: { name: 'Ann' } });
    return { user: body, path: `/api/users/${(body as { id: number }).id}`, etag: headers.get('etag') ?? '' };
  }

  async function send(method: string, path: string, lines: readonly string[], json?: unknown) {
    const body = json === undefined ? '' : JSON.stringify(json);
    const fields = ['Host: localhost', 'Connection: close', `Content-Length: ${body.length}`, ...lines];
    const bytes = await sendRaw(service.port, [`${method} ${path} HTTP/1.1`, ...fields, '', body].join('\r\n'));
    return parseResponse(bytes);
  }

  test.each([
    ['first', (etag: string) => [`If-Match: ${etag}`, 'If-Match: "x"'], 200],
    ['last', (etag: string) => ['If-Match: "x"', `if-match: ${etag}`], 200],
    ['no', () => ['If-Match: "x"', 'If-Match: "y"'], 412],
  ])('a PUT is allowed by the %s line of If-Match', async (_, lines, status) => {
    const { path, etag } = await create();
    expect((await send('PUT', path, lines(etag), { name: 'Bea' })).status).toBe(status);
  });

  test('a GET is not answered again if one line of If-None-Match has its tag', async () => {
    const { path, etag } = await create();
    for (const lines of [
      [etag, '"x"'],
      ['"x"', etag],
      ['*', '*'],
    ]) {
      const fields = lines.map((tag) => `If-None-Match: ${tag}`);
      expect((await send('GET', path, fields)).status).toBe(304);
    }
  });

  test('a PUT creates no second user if one line of If-None-Match is *', async () => {
    const { path, user } = await create();
    for (const lines of [
      ['*', '"x"'],
      ['"x"', '*'],
      ['*', '*'],
    ]) {
      const fields = lines.map((tag) => `If-None-Match: ${tag}`);
      expect((await send('PUT', path, fields, { name: 'Bea' })).status).toBe(412);
    }
    expect((await call('GET', path)).body).toEqual(user);
  });

  test('a client that accepts two types in two lines gets one of them', async () => {
    const { headers } = await send('GET', '/api/users/all', ['Accept: text/csv', 'Accept: image/png']);
    expect(headers.get('content-type')).toMatch(/^text\/csv/);
  });

  test('two keys for one POST are refused', async () => {
    const lines = ['Idempotency-Key: a', 'Idempotency-Key: b'];
    expect((await send('POST', '/api/users', lines, { name: 'Ann' })).status).toBe(400);
  });
});
