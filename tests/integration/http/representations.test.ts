import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Call, caller, exchange } from '../../support/httpService.ts';
import { type SharedService, sharedService } from '../../support/sharedService.ts';

let service: SharedService;
let call: Call;
let ids: number[];

/** No other test file has users in this country. */
const HERE = 'here';

const PEOPLE = [
  { name: 'Ann "A" Lee', lastName: 'Lee', age: 7, status: 'told', country: HERE },
  { name: '=SUM(A1:A9)', lastName: '+1', email: 'a.b@example.com', status: 'told', country: HERE },
  { name: 'Zoë\u2028Öst', lastName: '@x', firstName: '-1', country: HERE },
  { name: 'Bob', age: 0, country: HERE },
  { name: 'Eve', country: HERE },
];

beforeAll(async () => {
  service = await sharedService();
  call = caller(service.url);
  ids = [];
  for (const person of PEOPLE)
    ids.push(((await call('POST', '/api/users', { json: person })).body as { id: number }).id);
});

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  exchange(service.url, method, path, { headers });

function linksOf(field: string | null): Record<string, string> {
  const links = (field ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g);
  return Object.fromEntries([...links].map(([, target, rel]) => [rel, target]));
}

describe('links', () => {
  test.each([
    ['?country=here&page=1&size=2&sort=name', { first: '0', prev: '0', next: '2', last: '2' }],
    ['?country=here&size=2', { first: '0', next: '1', last: '2' }],
    ['?country=here&page=2&size=2', { first: '0', prev: '1', last: '2' }],
    ['?country=here&page=9&size=2', { first: '0', prev: '2', last: '2' }],
    ['?status=none', {}],
    ['?country=here', { first: '0', last: '0' }],
  ])('of %j lead to its neighbours and keep the other parameters', async (query, expected) => {
    const links = linksOf((await call('GET', `/api/users${query}`)).headers.get('link'));
    const pages = Object.fromEntries(
      Object.entries(links).map(([rel, target]) => [rel, new URL(target, service.url).searchParams.get('page')]),
    );
    expect(pages).toEqual(expected);
    for (const target of Object.values(links)) {
      const { pathname, searchParams } = new URL(target, service.url);
      expect(pathname).toBe('/api/users');
      for (const [name, value] of new URLSearchParams(query))
        if (name !== 'page') expect(searchParams.getAll(name)).toEqual([value]);
    }
  });

  test('lead through all pages, with repeated and encoded parameters', async () => {
    const seen: string[] = [];
    let path: string | undefined = '/api/users?size=1&sort=status&sort=name,desc&country=here&keyword=';
    while (path !== undefined) {
      const { body, headers } = await call('GET', path);
      seen.push(...(body as { content: { name: string }[] }).content.map(({ name }) => name));
      path = linksOf(headers.get('link')).next;
    }
    expect(seen).toEqual(['Ann "A" Lee', '=SUM(A1:A9)', 'Zoë\u2028Öst', 'Eve', 'Bob']);
  });

  test('of a cursor batch lead to the next batch as long as batches are full', async () => {
    expect((await call('GET', '/api/users?cursor=0&country=here')).headers.get('link')).toBeNull();
    for (let i = 0; i < 20; i++) await call('POST', '/api/users', { json: { name: `c${i}`, status: 'many' } });
    const { body, headers } = await call('GET', '/api/users/cursor?status=many');
    const { next } = linksOf(headers.get('link'));
    expect(next).toBe(`/api/users/cursor?status=many&cursor=${(body as { id: number }[]).at(-1)?.id}`);
    expect((await call('GET', next ?? '')).body).toEqual([]);
  });
});

describe('text/csv', () => {
  const rows = [
    'id,name,email,age,firstName,lastName,createdAt,status,country',
    (id: number, at: string) => `${id},"Ann ""A"" Lee",,7,,Lee,${at},told,here`,
    (id: number, at: string) => `${id},'=SUM(A1:A9),a.b@example.com,,,'+1,${at},told,here`,
  ] as const;

  test.each([
    ['/api/users?status=told', '2'],
    ['/api/users/search?status=told&sort=id', '2'],
    ['/api/users/cursor?status=told', null],
    ['/api/users?cursor=0&status=told', null],
  ])('%s conforms to RFC 4180, has a header row, and is safe in a spreadsheet', async (path, total) => {
    const { status, headers, text } = await ask(path, { accept: 'text/csv' });
    const users = await Promise.all(
      ids
        .slice(0, 2)
        .map(async (id) => (await call('GET', `/api/users/${id}`)).body as { id: number; createdAt: string }),
    );
    const [header, first, second] = rows;
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('x-total-count')).toBe(total);
    expect(text).toBe(
      [
        header,
        first(users[0]?.id ?? 0, users[0]?.createdAt ?? ''),
        second(users[1]?.id ?? 0, users[1]?.createdAt ?? ''),
        '',
      ].join('\r\n'),
    );
  });

  test('has all users at /api/users/all, in every script', async () => {
    const { headers, text } = await ask('/api/users/all?sort=name', {
      accept: 'text/csv;q=0.9, application/json;q=0.1',
    });
    expect(Number(headers.get('x-total-count'))).toBeGreaterThanOrEqual(PEOPLE.length);
    for (const id of ids) expect(text).toContain(`\r\n${id},`);
    expect(text).toContain(",Zoë\u2028Öst,,,'-1,'@x,");
  });

  test('is not available for one user, and is sent only to clients that ask for it', async () => {
    expect((await ask(`/api/users/${ids[0]}`, { accept: 'text/csv' })).status).toBe(406);
    expect((await ask('/api/users', { accept: '*/*' })).headers.get('content-type')).toMatch(/^application\/json/);
  });
});

describe('application/problem+json', () => {
  const headers = { accept: 'application/problem+json, application/json;q=0.5' };

  test('lists all failures with pointers for a client that prefers it', async () => {
    const body = JSON.stringify({ name: ' ', email: 'x', age: -1, lastName: 'Lee' });
    const response = await exchange(service.url, 'POST', '/api/users', {
      body,
      headers: { ...headers, 'content-type': 'application/json' },
    });
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(JSON.parse(response.text)).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'Name is required',
      errors: [
        { detail: 'Name is required', pointer: '/name' },
        { detail: 'Email must be valid', pointer: '/email' },
        { detail: 'Age must be positive', pointer: '/age' },
      ],
    });
  });

  test('describes every error and no success', async () => {
    const missing = await ask('/api/users/7', headers);
    expect(JSON.parse(missing.text)).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'User not found with id: 7',
    });
    expect((await ask('/api/users', headers)).headers.get('content-type')).toMatch(/^application\/json/);
    const alone = { accept: 'application/problem+json' };
    expect((await ask('/api/users', alone)).headers.get('content-type')).toMatch(/^application\/json/);
    expect((await ask('/api/users?page=x', alone)).headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });

  test('is not sent to a client that accepts anything', async () => {
    expect((await call('GET', '/api/users/7', { headers: { accept: '*/*' } })).body).toEqual({
      status: 404,
      message: 'User not found with id: 7',
    });
  });
});

describe('HEAD and OPTIONS', () => {
  /** This ETag changes with the writes of other test files. */
  const WEAK = expect.stringMatching(/^W\//);

  test.each([
    ['/api/users?country=here', 200, WEAK],
    ['/api/users?cursor=0&country=here', 200, WEAK],
    ['/api/users/cursor?country=here', 200, WEAK],
    ['/api/users/search?status=told', 200, WEAK],
    ['/api/users/all?country=here', 200, WEAK],
    ['/api/users/{id}', 200, '"1"'],
    ['/api/users/7', 404, null],
  ])('HEAD %s has the headers of GET and no content', async (template, status, etag) => {
    const path = template.replace('{id}', String(ids[0]));
    const [get, head] = [await ask(path), await ask(path, {}, 'HEAD')];
    expect(head).toMatchObject({ status, text: '' });
    expect(head.headers.get('etag')).toEqual(etag);
    for (const name of ['content-type', 'x-total-count', 'link', 'cache-control'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
  });

  test.each([
    ['/api/users', 'GET, HEAD, POST, OPTIONS', null],
    [
      '/api/users/5',
      'GET, HEAD, PUT, PATCH, DELETE, OPTIONS',
      'application/merge-patch+json, application/json-patch+json, application/json',
    ],
    ['/api/users/all', 'GET, HEAD, OPTIONS', null],
  ])('OPTIONS %s names the allowed methods', async (path, allow, acceptPatch) => {
    const { status, headers } = await ask(path, {}, 'OPTIONS');
    expect({ status, allow: headers.get('allow'), acceptPatch: headers.get('accept-patch') }).toEqual({
      status: 204,
      allow,
      acceptPatch,
    });
  });

  test('OPTIONS of an unknown path is 404', async () => {
    expect((await ask('/nope', {}, 'OPTIONS')).status).toBe(404);
  });
});

describe('headers', () => {
  test('restrict caching, and keep browsers from running a response', async () => {
    const { headers } = await ask('/api/users');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')).toMatch(/^Accept, Accept-Encoding, Origin/i);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('strict-transport-security')).toContain('max-age=');
    expect((await ask('/api/users/7')).headers.get('cache-control')).toBe('no-store');
  });

  test('let browsers of any origin call the service at stage dev', async () => {
    const { headers } = await ask('/api/users', { origin: 'https://app.example.com' });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toContain('ETag');
    const preflight = await ask(
      '/api/users/5',
      { origin: 'https://app.example.com', 'access-control-request-method': 'PATCH' },
      'OPTIONS',
    );
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-credentials')).toBe(null);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/if-match/i);
  });

  test('say that the body is compressed for a client that accepts it', async () => {
    const encoded = await new Promise<{ encoding: string | undefined; body: Buffer }>((resolve, reject) => {
      request(`${service.url}/api/users/all`, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ encoding: response.headers['content-encoding'], body: Buffer.concat(chunks) }),
        );
      })
        .on('error', reject)
        .end();
    });
    expect(encoded.encoding).toBe('gzip');
    const users: { id: number }[] = JSON.parse(gunzipSync(encoded.body).toString());
    expect(users.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  });
});
