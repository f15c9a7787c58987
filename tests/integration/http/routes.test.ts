import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { caller, checkResponse, createOver } from '../../support/httpService.ts';
import { sharedService } from '../../support/shared.ts';

const service = await sharedService();
const call = caller(service.url);

/** Sends a request with a path and header lines unchanged. fetch would normalise them. */
async function send(method: string, path: string, lines: readonly string[] = [], json?: unknown) {
  const body = json === undefined ? '' : JSON.stringify(json);
  const fields = ['Host: localhost', 'Connection: close', `Content-Length: ${body.length}`, ...lines];
  const sent = request({ port: service.port, method, path, headers: fields.flatMap((field) => field.split(': ')) });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const headers = new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
  const received = { status: response.statusCode ?? 0, headers, text: await text(response) };
  checkResponse({ method, path, ...received });
  return received;
}

/** Sends bytes unchanged, and ends. Resolves with all that comes back. */
const sendBytes = (bytes: string): Promise<string> =>
  new Promise((resolve) => {
    let received = '';
    const socket = connect({ port: service.port, host: 'localhost' });
    socket.setEncoding('latin1').on('data', (chunk) => (received += chunk));
    // A server that refuses headers may reset the connection after its response.
    socket.on('error', () => {}).on('close', () => resolve(received));
    socket.end(bytes);
  });

const LIST = 'GET, HEAD, POST, PUT, OPTIONS';
const USER = 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS';
const READ_ONLY = 'GET, HEAD, OPTIONS';

describe('a request', () => {
  test.each([
    ...['/api/user', '/api/users/1/2', '/nope?x=1', '//[', '//@', '//:99999999', '/\\\\', '/%2F'],
    ...['//', '///', '//api/users'],
  ])('for %s is 404', async (path) => {
    const { status, text: body } = await send('GET', path);
    expect([status, JSON.parse(body)]).toEqual([404, { status, message: expect.any(String) }]);
    // A path that is no URL never reaches a function.
    expect(['Path not found', `Path not found: ${path.split('?')[0]}`]).toContain(JSON.parse(body).message);
  });

  test.each([
    ['PATCH', '/api/users', LIST],
    ['DELETE', '/api/users', LIST],
    ['POST', '/api/users/1', USER],
    ['POST', '/api/users/all', READ_ONLY],
    ['DELETE', '/api/users/all', READ_ONLY],
    ['PATCH', '/api/users/search', READ_ONLY],
    ['PUT', '/api/users/cursor', READ_ONLY],
  ])('%s %s is 405', async (method, path, allow) => {
    const response = await call(method, path, method === 'DELETE' ? {} : { json: { name: 'Ann' } });
    const message = `Method ${method} is not allowed here, only ${allow}`;
    expect(response).toMatchObject({ status: 405, body: { status: 405, message } });
    expect(response.headers.get('allow')).toBe(allow);
  });

  test.each(['/api/users/%zz', '/api/users/%C3%28', '/api/users/1%00', '/api/users?page=%zz', '/%'])(
    'for %s, with broken percent-encoding, is refused',
    async (path) => {
      const { status, text: body } = await send('GET', path);
      expect([status, JSON.parse(body)]).toEqual([400, { status: 400, message: expect.any(String) }]);
    },
  );

  test.each([
    ['bytes that are not HTTP', 'garbage\r\n\r\n'],
    ['an unknown method', 'FOO /api/users HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['the method CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a missing Host', 'GET /api/users HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['too long headers', `GET /api/users HTTP/1.1\r\nHost: localhost\r\nA: ${'b'.repeat(20_000)}\r\n\r\n`],
    ['a broken chunk', 'POST /api/users HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['half a request', 'POST /api/users HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{'],
  ])('with %s is refused in the shape of all errors', async (_, bytes) => {
    expect(await sendBytes(bytes)).toMatch(/^HTTP\/1\.1 400 .*\r\n\{"status":400,"message":"Bad request"\}/s);
  });

  test.each(['/api/users?q=Jürgen', '/api/users/ü', '/api/users?q=Ann Lee', '/api/users?q=a b c'])(
    'for %s, as it is typed, is told to be percent-encoded',
    async (address) => {
      const [, body = ''] = (await sendBytes(`GET ${address} HTTP/1.1\r\nHost: localhost\r\n\r\n`)).split('\r\n\r\n');
      const message = 'The address must be percent-encoded: ü is %C3%BC, and a blank %20';
      expect(JSON.parse(Buffer.from(body, 'latin1').toString())).toEqual({ status: 400, message });
    },
  );
});

describe('several lines of a header are one list:', () => {
  async function create() {
    const { id } = await createOver(call)({ name: 'Ann' });
    return `/api/users/${id}`;
  }

  test.each([
    ['first', ['If-Match: "1"', 'If-Match: "x"'], 200],
    ['last', ['If-Match: "x"', 'if-match: "1"'], 200],
    ['no', ['If-Match: "x"', 'If-Match: "y"'], 412],
  ])('a PUT is allowed by the %s line of If-Match', async (_, lines, status) => {
    expect((await send('PUT', await create(), lines, { name: 'Bea' })).status).toBe(status);
  });

  test('a GET is not answered again if one line of If-None-Match has its tag, and a PUT does not replace a user if one is *', async () => {
    const path = await create();
    const given = (...tags: string[]) => tags.map((tag) => `If-None-Match: ${tag}`);
    for (const lines of [given('"1"', '"x"'), given('"x"', '"1"'), given('*', '*')]) {
      expect((await send('GET', path, lines)).status).toBe(304);
    }
    for (const lines of [given('*', '"x"'), given('"x"', '*'), given('*', '*')]) {
      expect((await send('PUT', path, lines, { name: 'Bea' })).status).toBe(412);
    }
    expect((await call('GET', path)).body).toMatchObject({ name: 'Ann' });
  });
});
