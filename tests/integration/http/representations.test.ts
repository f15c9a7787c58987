import { describe, expect, test, vi } from 'vitest';
import { VERSION } from '../../../lib/http/api.ts';
import { pageLinks, walkLink } from '../../../lib/http/response/links.ts';
import { totalOrder, writePlace } from '../../../lib/users/order.ts';
import type { SortProperty } from '../../../lib/users/user.ts';
import { user } from '../../../schemas/user.ts';
import { event } from '../../../tools/samples/events.ts';
import { largestFields } from '../../support/arbitraries.ts';
import { caller, createOver, exchange } from '../../support/httpService.ts';
import { sharedService } from '../../support/shared.ts';

const { url } = await sharedService();
const call = caller(url);

/** No other test file has users in this country. */
const HERE = 'here';

const PEOPLE = [
  { name: 'Ann "A" Lee', lastName: 'Lee', age: 7, status: 'told', country: HERE },
  { name: '=SUM(A1:A9)', lastName: '+1', email: '+a@example.com', status: 'told', country: HERE },
  { name: 'Zoë\u2028Öst', lastName: '@x', firstName: '-1', country: HERE },
  { name: 'Bob', age: 0, country: HERE },
  { name: 'Eve', country: HERE },
];

const ids: number[] = [];
for (const person of PEOPLE) ids.push((await createOver(call)(person)).id);

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  exchange(url, method, path, { headers });

function linksOf(field: string | null): Record<string, string> {
  const links = (field ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g);
  return Object.fromEntries([...links].map(([, target, rel]) => [rel, target]));
}

describe('links', () => {
  test.each([
    ['page=1&', { first: '0', prev: '0', next: '2', last: '2' }],
    ['', { first: '0', next: '1', last: '2' }],
    ['page=2&', { first: '0', prev: '1', last: '2' }],
    ['page=9&', { first: '0', prev: '2', last: '2' }],
    ['keyword=none&page=3&', { first: '0', prev: '0', last: '0' }],
  ])('of a page (%s) lead to its neighbours and keep the other parameters', async (start, pages) => {
    const filter = /keyword=none&/.exec(start)?.[0] ?? '';
    const kept = `${filter}country=here&sort=name%2Cdesc`;
    const query = `${start.replace(filter, '')}${kept}&size=2`;
    const links = linksOf((await ask(`/api/users?${query}`)).headers.get('link'));
    expect(links).toEqual(
      Object.fromEntries(Object.entries(pages).map(([rel, page]) => [rel, `/api/users?${kept}&page=${page}&size=2`])),
    );
  });

  test.each([
    [['name'], ['next', 'prev']],
    [['name', 'firstName'], ['next']],
    [['name', 'firstName', 'lastName'], []],
  ])('of a page that is asked for by a long %j are only %j: others would not fit into the headers', (names, rels) => {
    const asked = event(names.map((name) => `${name}=${'😀'.repeat(200)}`).join('&'));
    const { link = '' } = pageLinks(asked, { number: 1, size: 20, totalPages: 9 });
    expect([Object.keys(linksOf(link)), link.length < 6_001]).toEqual([rels, true]);
  });

  test('of a cursor batch lead to the next batch as long as batches are full', async () => {
    expect((await call('GET', '/api/users?cursor=0&country=here')).headers.get('link')).toBeNull();
    for (let i = 0; i < 20; i++) await createOver(call)({ name: `c${i}`, status: 'many' });
    const { body, headers } = await call('GET', '/api/users/cursor?status=many');
    const { next } = linksOf(headers.get('link'));
    expect(next).toBe(`/api/users/cursor?status=many&cursor=${(body as { id: number }[]).at(-1)?.id}`);
    expect((await call('GET', next ?? '')).body).toEqual([]);
  });
});

const SORTED = Object.keys(user.properties).filter((property) => !['id', 'attributes'].includes(property));

describe('the link of a walk', () => {
  test('leads through all users in its order, keeps the other parameters, and is not there at the end', async () => {
    const pages: string[][] = [];
    let next: string | undefined = '/api/users?country=here&sort=name%2Cdesc&size=2&after=';
    while (next) {
      const { body, headers } = await call('GET', next);
      pages.push((body as { name: string }[]).map(({ name }) => name));
      expect(headers.get('x-total-count')).toBe('5');
      ({ next } = linksOf(headers.get('link')));
      if (next) expect(next).toMatch(/^\/api\/users\?country=here&sort=name%2Cdesc&size=2&after=[\w-]{40,}$/);
    }
    expect(pages).toEqual([['Zoë\u2028Öst', 'Eve'], ['Bob', 'Ann "A" Lee'], ['=SUM(A1:A9)']]);
    const nobody = await call('GET', '/api/users?country=nowhere&after=');
    expect([nobody.body, nobody.headers.get('link')]).toEqual([[], null]);
  });

  test.each(['😀', '"'])('fits for the longest values of any four fields, of %s', (letter) => {
    const largest = { ...largestFields(letter), id: Number.MAX_SAFE_INTEGER };
    const placeBy = (properties: readonly string[]) =>
      writePlace(
        totalOrder(properties.map((property) => ({ property: property as SortProperty, direction: 'desc' }))),
        largest,
      );
    const longest = SORTED.toSorted((a, b) => placeBy([b]).length - placeBy([a]).length).slice(0, 4);
    const place = placeBy(longest);
    expect(place.length).toBeGreaterThan(2_000);
    expect(walkLink(event(`sort=${longest.join()},desc&size=100`), place).link).toContain(place);
  });

  test('is refused if it does not fit: without it the walk would seem to have ended', () => {
    const message = 'The query with its place in the order must be at most 6000 characters long';
    const asked = ['name', 'firstName', 'lastName'].map((name) => `${name}=${'😀'.repeat(200)}`).join('&');
    expect(() => walkLink(event(asked), 'x')).toThrow(expect.objectContaining({ status: 400, message }));
  });
});

describe('text/csv', () => {
  test.each([
    ['/api/users?status=told', '2'],
    ['/api/users?status=told&after=', '2'],
    ['/api/users/all?status=told', '2'],
    ['/api/users/cursor?status=told', null],
  ])('of %s conforms to RFC 4180, has a header row, and is safe in a spreadsheet', async (path, total) => {
    const { status, headers, text } = await ask(path, { accept: 'text/csv;q=0.9, application/json;q=0.1' });
    const [first, second] = await Promise.all(
      ids
        .slice(0, 2)
        .map(async (id) => (await call('GET', `/api/users/${id}`)).body as { createdAt: string; updatedAt: string }),
    );
    expect([status, headers.get('content-type'), headers.get('x-total-count')]).toEqual([
      ...[200, 'text/csv; charset=utf-8; header=present', total],
    ]);
    const columns = Object.keys(user.properties);
    const others = ','.repeat(columns.length - 10);
    expect(text.split('\r\n')).toEqual([
      columns.join(','),
      `${ids[0]},"Ann ""A"" Lee",,7,,Lee,${first?.createdAt},${first?.updatedAt},told,here${others}`,
      `${ids[1]},'=SUM(A1:A9),'+a@example.com,,,'+1,${second?.createdAt},${second?.updatedAt},told,here${others}`,
      '',
    ]);
  });

  test('is not available for one user and for numbers, and is sent only to clients that ask for it', async () => {
    expect((await ask(`/api/users/${ids[0]}`, { accept: 'text/csv' })).status).toBe(406);
    // Other files write to this service, and each write gives lists another tag.
    await vi.waitFor(async () => {
      const known = (await ask('/api/users/counts')).headers.get('etag') ?? '';
      for (const [status, asked] of [[200, {}] as const, [304, { 'if-none-match': known }] as const]) {
        const counts = await ask('/api/users/counts', { accept: 'text/csv, application/json;q=0.1', ...asked });
        expect([counts.status, counts.headers.get('etag')]).toEqual([status, known]);
      }
    });
    expect((await ask('/api/users/7', { accept: 'text/html' }, 'DELETE')).status).toBe(404);
    expect((await ask('/api/users', { accept: 'text/html' }, 'OPTIONS')).status).toBe(204);
    expect((await ask('/api/users', { accept: '*/*' })).headers.get('content-type')).toMatch(/^application\/json/);
  });
});

describe('application/x-ndjson', () => {
  const accept = 'application/x-ndjson, text/csv;q=0.9, application/json;q=0.1';

  test.each([
    ['/api/users?status=told', '2'],
    ['/api/users/search?status=told', '2'],
    ['/api/users/all?status=told', '2'],
    ['/api/users/cursor?status=told', null],
    ['/api/users?status=told&cursor=0', null],
    ['/api/users?status=told&after=', '2'],
  ])('of %s has a user a line, each with its line break', async (path, total) => {
    const { status, headers, text } = await ask(path, { accept });
    expect([status, headers.get('content-type'), headers.get('x-total-count')]).toEqual([
      ...[200, 'application/x-ndjson', total],
    ]);
    const users = await Promise.all(ids.slice(0, 2).map(async (id) => (await call('GET', `/api/users/${id}`)).body));
    expect(text).toBe(`${JSON.stringify(users[0])}\n${JSON.stringify(users[1])}\n`);
    expect(await ask(path.replace('told', 'untold'), { accept })).toMatchObject({ status: 200, text: '' });
  });

  test('is not available for one user, and has the links of its page', async () => {
    expect((await ask(`/api/users/${ids[0]}`, { accept: 'application/x-ndjson' })).status).toBe(406);
    const { headers } = await ask('/api/users?country=here&size=2', { accept });
    expect(linksOf(headers.get('link')).next).toBe('/api/users?country=here&page=1&size=2');
  });
});

describe('fields', () => {
  /** Two users of each list, as it has them. */
  const listed = (body: unknown) => (Array.isArray(body) ? body : (body as { content: unknown[] }).content).slice(0, 2);
  const shown = () => [
    { id: ids[0], age: 7, status: 'told' },
    { id: ids[1], status: 'told' },
  ];

  test.each([
    '/api/users?status=told',
    '/api/users/search?status=told',
    '/api/users/all?status=told',
    '/api/users/cursor?status=told',
    '/api/users?cursor=0&status=told',
    '/api/users?after=&status=told',
  ])('of %s leave only the members that they name, and the id', async (path) => {
    for (const fields of ['fields=status,age', 'fields=age&fields=status', 'fields=age,%20status,,age&fields='])
      expect(listed((await call('GET', `${path}&${fields}`)).body)).toEqual(shown());
    const csv = await ask(`${path}&fields=status,age`, { accept: 'text/csv' });
    expect(csv.text).toBe(`id,status,age\r\n${ids[0]},told,7\r\n${ids[1]},told,\r\n`);
    const named = await ask(`${path}&fields=status,id`, { accept: 'text/csv' });
    expect(named.text).toBe(`status,id\r\ntold,${ids[0]}\r\ntold,${ids[1]}\r\n`);
    const lines = await ask(`${path}&fields=age&fields=status`, { accept: 'application/x-ndjson' });
    expect(lines.text).toBe(
      shown()
        .map((user) => `${JSON.stringify(user)}\n`)
        .join(''),
    );
    const all = await call('GET', path);
    expect(listed((await call('GET', `${path}&fields=,%20`)).body)).toEqual(listed(all.body));
  });

  test('of one user leave them too, as of a moment too, with the ETag of the user', async () => {
    const path = `/api/users/${ids[0]}`;
    const { headers, body } = await call('GET', path);
    const { createdAt } = body as { createdAt: string };
    for (const query of ['?fields=createdAt,age', '?at=2099-01-01&fields=createdAt,age']) {
      const some = await call('GET', path + query);
      expect([some.body, some.headers.get('etag')]).toEqual([{ id: ids[0], age: 7, createdAt }, headers.get('etag')]);
      expect((await ask(path + query, { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304);
    }
  });

  test.each([
    '/api/users?',
    '/api/users/search?',
    '/api/users/all?',
    '/api/users/cursor?',
    '/api/users?cursor=0&',
    '/api/users?after=&',
    '/api/users/7?',
  ])('that users do not have are refused by %s, with what is possible and what is near', async (path) => {
    for (const [fields, refused] of [
      ['age,constructor&fields=__proto__', 'constructor, which is none of $'],
      ['lastname', 'lastname, which is none of $: is lastName meant?'],
      ['attributes.1a', 'attributes.1a, which is none of $: is attributes meant?'],
      [`id,${'😀'.repeat(40)}`, `${'😀'.repeat(32)}, which is none of $`],
    ] as const) {
      const message = `fields has ${refused.replace('$', `${Object.keys(user.properties).join(', ')}, attributes.<name>`)}`;
      expect(await call('GET', `${path}fields=${fields}`)).toMatchObject({ status: 400, body: { message } });
    }
  });
});

describe('application/problem+json', () => {
  const accept = 'application/problem+json, application/json;q=0.5';

  test('lists all failures with pointers for a client that prefers it', async () => {
    const json = { name: ' ', email: 'x', age: -1, lastName: 'Lee' };
    const { headers, body } = await call('POST', '/api/users', { json, headers: { accept } });
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    const failures = { name: 'Name is required', email: 'Email must be valid', age: 'Age must be positive' };
    expect(body).toEqual({
      ...{ type: 'urn:problem:validation', title: 'The body is not valid', status: 400, detail: 'Name is required' },
      errors: Object.entries(failures).map(([field, detail]) => ({ detail, pointer: `/${field}` })),
    });
  });
});

describe('HEAD and OPTIONS', () => {
  test.each([
    '/api/users?country=here&after=&size=2',
    ...['/api/users?country=here', '/api/users/cursor?country=here', '/api/users/all?country=here'],
    ...['/api/users/{id}', '/api/users/7'],
  ])('HEAD %s has the headers of GET, its length, and no content', async (template) => {
    const path = template.replace('{id}', String(ids[0]));
    const [get, head] = [await ask(path), await ask(path, {}, 'HEAD')];
    expect(head).toMatchObject({ status: get.status, text: '' });
    // The ETag of a collection changes with the writes of other test files.
    expect(head.headers.has('etag')).toBe(get.headers.has('etag'));
    for (const name of ['content-type', 'content-length', 'x-total-count', 'link', 'cache-control'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
  });

  const PATCHES = 'application/merge-patch+json, application/json-patch+json, application/json';

  test.each([
    ['/api/users', 204, 'GET, HEAD, POST, PUT, OPTIONS', null],
    ['/api/users/5', 204, 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS', PATCHES],
    ['/api/users/all', 204, 'GET, HEAD, OPTIONS', null],
    ['/api/users/all/changes', 204, 'GET, HEAD, DELETE, OPTIONS', null],
    ['/nope', 404, null, null],
  ])('OPTIONS %s is %i and names the allowed methods', async (path, status, allow, acceptPatch) => {
    const { headers, ...response } = await ask(path, {}, 'OPTIONS');
    expect([response.status, headers.get('allow'), headers.get('accept-patch')]).toEqual([status, allow, acceptPatch]);
  });
});

test.each(['application/json', 'text/csv', 'application/x-ndjson'])(
  'a list of the type %s is compressed, and Vary names each header once',
  async (accept) => {
    for (let i = 0; i < 20; i++) await createOver(call)({ name: `c${i}`, status: 'packed' });
    for (const path of [
      '/api/users?status=packed',
      '/api/users/all?status=packed',
      '/api/users/cursor?status=packed',
    ]) {
      const { headers } = await fetch(url + path, { headers: { accept, 'accept-encoding': 'gzip' } });
      expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([
        ...['gzip', 'Accept, Accept-Encoding, Origin, Prefer'],
      ]);
    }
  },
);

test('headers restrict caching, and keep browsers from running a response', async () => {
  const { headers } = await ask('/api/users');
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'private, no-cache',
    vary: 'Accept, Accept-Encoding, Origin, Prefer',
    server: `user-management/${VERSION}`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'strict-transport-security': expect.stringContaining('max-age='),
  });
  expect((await ask('/api/users/7')).headers.get('cache-control')).toBe('no-store');
});
