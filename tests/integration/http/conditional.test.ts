import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { handlerCalls } from '../../support/calls.ts';
import type { Call } from '../../support/httpService.ts';
import { captureLog } from '../../support/logs.ts';

let call: Call;

/** No test changes this user. */
const STEADY = '/api/users/600000000000000';

const NONE = { 'if-none-match': '*' };

beforeAll(async () => {
  captureLog();
  call = await handlerCalls();
  await call('PUT', STEADY, { json: { name: 'Ann' }, headers: NONE });
});

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

interface User {
  id: number;
}

async function create(fields: object = { name: 'Ann', age: 0 }): Promise<{ user: User; path: string; etag: string }> {
  const { body, headers } = await call('POST', '/api/users', { json: fields });
  return { user: body as User, path: `/api/users/${(body as User).id}`, etag: headers.get('etag') ?? '' };
}

describe('an ETag', () => {
  test('is strong, is on every response with one user, and changes with every write', async () => {
    const { path, etag } = await create();
    expect(etag).toMatch(/^"[^"]+"$/);
    expect((await call('GET', path)).headers.get('etag')).toBe(etag);
    const replaced = await call('PUT', path, { json: { name: 'Bea' } });
    const patched = await call('PATCH', path, { json: { age: 1 } });
    const tags = [etag, replaced.headers.get('etag'), patched.headers.get('etag')];
    expect(new Set(tags).size).toBe(3);
    expect((await call('GET', path)).headers.get('etag')).toBe(tags[2]);
  });
});

const COLLECTIONS = [
  '/api/users',
  '/api/users?sort=name,desc&page=3&size=2',
  '/api/users?status=none',
  '/api/users?cursor=0',
  '/api/users/cursor?cursor=0&country=DE',
  '/api/users/search?keyword=lee',
  '/api/users/all',
];

const tagOf = async (path: string) => (await call('GET', path)).headers.get('etag') ?? '';

describe.each(COLLECTIONS)('the ETag of %s', (path) => {
  test('is weak, and changes with every write to any user and with nothing else', async () => {
    const tags = [await tagOf(path)];
    expect(tags[0]).toMatch(/^W\/"[0-9a-f]{12}"$/);
    const user = await create({ name: 'Nobody', status: 'unasked' });
    tags.push(await tagOf(path));
    await call('PUT', user.path, { json: { name: 'Nobody', status: 'unasked' } });
    tags.push(await tagOf(path));
    await call('PATCH', user.path, { json: { age: 1 } });
    tags.push(await tagOf(path));
    await call('GET', user.path);
    expect(await tagOf(path)).toBe(tags[3]);
    await call('DELETE', user.path);
    tags.push(await tagOf(path));
    expect(new Set(tags).size).toBe(5);
    await call('POST', '/api/users', { json: { name: '' } });
    await call('PUT', user.path, { json: { name: 'gone' } });
    expect(await tagOf(path)).toBe(tags[4]);
  });
});

describe.each([STEADY, ...COLLECTIONS])('If-None-Match for %s', (path) => {
  test.each([
    ['the tag', (etag: string) => etag, 304],
    ['the tag as a strong one', (etag: string) => etag.replace('W/', ''), 304],
    ['the tag as a weak one', (etag: string) => etag.replace(/^"/, 'W/"'), 304],
    ['a list with the tag', (etag: string) => `"x", ${etag} , W/"y"`, 304],
    ['*', () => '*', 304],
    ['another tag', () => '"x"', 200],
    ['another weak tag', () => 'W/"000000000000"', 200],
    ['a text that is not a tag', () => 'x', 200],
  ])('with %s is compared weakly', async (_, field, status) => {
    const { body, headers } = await call('GET', path);
    const etag = headers.get('etag') ?? '';
    const response = await call('GET', path, { headers: { 'if-none-match': field(etag) } });
    expect(response).toMatchObject({ status, body: status === 304 ? undefined : body });
    expect(response.headers.get('etag')).toBe(etag);
  });
});

describe('If-Match', () => {
  const writes = [
    ['PUT', { name: 'Bea' }, 200],
    ['PATCH', { age: 5 }, 200],
    ['DELETE', undefined, 204],
  ] as const;

  test.each(writes)('allows %s when the tag is the newest, in a list, or *', async (method, json, status) => {
    for (const field of [(etag: string) => etag, (etag: string) => `"x", ${etag}`, () => '*']) {
      const { path, etag } = await create();
      expect((await call(method, path, { ...(json && { json }), headers: { 'if-match': field(etag) } })).status).toBe(
        status,
      );
    }
  });

  test.each(writes)('refuses %s when the tag is old or weak', async (method, json) => {
    for (const field of [() => '"x"', (etag: string) => `W/${etag}`, () => 'x', () => '', () => '"x", *']) {
      const { path, etag, user } = await create();
      const response = await call(method, path, { ...(json && { json }), headers: { 'if-match': field(etag) } });
      expect(response).toMatchObject({
        status: 412,
        body: { message: `The user has changed: its ETag is now ${etag}` },
      });
      expect((await call('GET', path)).body).toEqual(user);
    }
  });

  test.each(writes)('does not change the 404 of %s for a missing user', async (method, json) => {
    const response = await call(method, '/api/users/12345', { ...(json && { json }), headers: { 'if-match': '*' } });
    expect(response.status).toBe(404);
  });

  test('is checked after validation', async () => {
    const { path } = await create();
    expect((await call('PUT', path, { json: { name: '' }, headers: { 'if-match': '"x"' } })).status).toBe(400);
  });
});

describe('conditional patches in parallel', () => {
  test('are applied if they succeed, and only then: one of 50', async () => {
    const { path, etag } = await create();
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        call('PATCH', path, { json: { age: n + 1 }, headers: { 'if-match': etag } }),
      ),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 412)).toHaveLength(49);
    const winner = responses.find(({ status }) => status === 200)?.body;
    expect((await call('GET', path)).body).toEqual(winner);
  });
});

describe('an Idempotency-Key', () => {
  const post = (key: string, json: object) => call('POST', '/api/users', { json, headers: { 'idempotency-key': key } });

  test('creates one user when it is sent three times in parallel', async () => {
    const keys = Array.from({ length: 100 }, (_, n) => `key-${n}`);
    const ids = new Set<number>();
    for (let from = 0; from < keys.length; from += 20) {
      const sends = keys
        .slice(from, from + 20)
        .flatMap((key) => [0, 1, 2].map(() => post(key, { name: key, status: 'once' })));
      for (const { status, body, headers } of await Promise.all(sends)) {
        expect(status).toBe(201);
        expect(headers.get('location')).toBe(`/api/users/${(body as User).id}`);
        ids.add((body as User).id);
      }
    }
    expect(ids.size).toBe(100);
    expect((await call('GET', '/api/users?status=once')).body).toMatchObject({ totalElements: 100 });
  });

  test('returns the user as it was created, even after a change', async () => {
    const first = await post('again', { name: 'Ann', age: 3 });
    await call('PATCH', `/api/users/${(first.body as User).id}`, { json: { age: 4 } });
    const second = await post('"again"', { age: 3, name: 'Ann', unknown: 1, id: 9 });
    expect(second.body).toEqual(first.body);
  });

  test('is refused with another body', async () => {
    await post('other', { name: 'Ann' });
    expect(await post('other', { name: 'Bea' })).toMatchObject({
      status: 422,
      body: { message: 'Idempotency-Key was used for another request body within the last day' },
    });
  });

  test('can be used again after a refused request', async () => {
    expect((await post('refused', { name: '' })).status).toBe(400);
    expect((await post('refused', { name: 'Ann' })).status).toBe(201);
  });

  test('with a blank is refused', async () => {
    expect(await post('a b', { name: 'Ann' })).toMatchObject({
      status: 400,
      body: { message: 'Idempotency-Key must be 1 to 255 visible ASCII characters' },
    });
  });
});

const put = (id: number | string | bigint, json: object, headers: Record<string, string> = NONE) =>
  call('PUT', `/api/users/${id}`, { json, headers });

/** A random id from 2024. */
const someId = () => 600_000_000_000_000 + Math.floor(Math.random() * 1e12);

describe('PUT with If-None-Match: *', () => {
  test('creates a user with this id, which gives its createdAt', async () => {
    const id = someId();
    const { status, headers, body } = await put(id, { name: 'Ann', lastName: `L${id}` });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/api/users/${id}`);
    expect(body).toEqual({ id, name: 'Ann', lastName: `L${id}`, createdAt: expect.stringMatching(/^2024-/) });
    const found = await call('GET', `/api/users/${id}`);
    expect(found.body).toEqual(body);
    expect(found.headers.get('etag')).toBe(headers.get('etag'));
    const { body: page } = await call('GET', `/api/users?keyword=L${id}`);
    expect(page).toMatchObject({ totalElements: 1, content: [body] });
  });

  test('is 412 if the id has a user, whatever the body is', async () => {
    const id = someId();
    expect((await put(id, { name: 'Ann' })).status).toBe(201);
    for (const name of ['Ann', 'Bea']) {
      const { status, body } = await put(id, { name });
      expect([status, body]).toEqual([412, { status: 412, message: `There is a user with the id ${id}` }]);
    }
    expect((await call('GET', `/api/users/${id}`)).body).toMatchObject({ name: 'Ann' });
  });

  test('brings a deleted user back, with an ETag that it never had before', async () => {
    const { body, headers } = await call('POST', '/api/users', { json: { name: 'Ann' } });
    const { id } = body as { id: number };
    const tags = [headers.get('etag')];
    for (let life = 0; life < 4; life++) {
      await call('DELETE', `/api/users/${id}`);
      expect((await call('GET', `/api/users/${id}`)).status).toBe(404);
      const again = await put(id, { name: `Ann ${life}` });
      expect(again).toMatchObject({ status: 201, body: { id, name: `Ann ${life}` } });
      tags.push(again.headers.get('etag'));
      const patched = await call('PATCH', `/api/users/${id}`, { json: { age: life } });
      tags.push(patched.headers.get('etag'));
    }
    expect(new Set(tags).size).toBe(tags.length);
    const versions = tags.map((tag) => Number(tag?.slice(1, -1)));
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    const { body: changes } = await call('GET', `/api/users/${id}/changes`);
    expect((changes as { type: string }[]).map(({ type }) => type)).toEqual([
      ...['updated', 'created', 'deleted', 'updated', 'created', 'deleted'],
      ...['updated', 'created', 'deleted', 'updated', 'created', 'deleted', 'created'],
    ]);
  });

  test.each<[string | number | bigint, number]>([
    [0, 400],
    [-5, 400],
    [Date.now() * 4_096, 400],
    [Number.MAX_SAFE_INTEGER, 400],
    [2n ** 53n, 400],
    [2n ** 63n, 400],
    ['x', 400],
  ])('refuses the id %s, which no user can have had, with %i', async (id, status) => {
    expect((await put(id, { name: 'Ann' })).status).toBe(status);
  });

  test('validates the body like any PUT, and writes nothing if it is invalid', async () => {
    const id = someId();
    const { status, body } = await put(id, { name: ' ' });
    expect([status, body]).toEqual([400, { status: 400, message: 'Name is required' }]);
    expect((await call('GET', `/api/users/${id}`)).status).toBe(404);
  });

  test('cannot be combined with If-Match, and with another tag than * creates nothing', async () => {
    const id = someId();
    expect((await put(id, { name: 'Ann' }, { ...NONE, 'if-match': '*' })).status).toBe(412);
    for (const tag of ['"*"', '"1"', 'W/"1"'])
      expect((await put(id, { name: 'Ann' }, { 'if-none-match': tag })).status).toBe(404);
    expect((await put(id, { name: 'Ann' }, {})).status).toBe(404);
    expect((await put(`00${id}`, { name: 'Ann' })).headers.get('location')).toBe(`/api/users/${id}`);
  });

  test('creates one user for twenty requests in parallel', async () => {
    const id = someId();
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => put(id, { name: `Ann ${i}` })));
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(412)]);
  });
});
