import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { handlerCalls } from '../support/calls.ts';
import type { Call } from '../support/httpService.ts';
import { captureLog } from '../support/logs.ts';

let call: Call;

beforeAll(async () => {
  captureLog();
  call = await handlerCalls();
});

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

interface User {
  id: number;
  name: string;
  age?: number;
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

  test.each([
    ['the tag', (etag: string) => etag, 304],
    ['the tag as a strong one', (etag: string) => etag.slice(2), 304],
    ['a list with the tag', (etag: string) => `"x", ${etag} , W/"y"`, 304],
    ['*', () => '*', 304],
    ['another tag', () => 'W/"000000000000"', 200],
    ['a text that is not a tag', () => 'x', 200],
  ])('is compared weakly with %s in If-None-Match', async (_, field, status) => {
    const etag = await tagOf(path);
    const response = await call('GET', path, { headers: { 'if-none-match': field(etag) } });
    expect(response.status).toBe(status);
    expect(response.headers.get('etag')).toBe(etag);
    expect(response.body === undefined).toBe(status === 304);
  });

  test('never hides a write from a client', async () => {
    const etag = await tagOf(path);
    await create();
    expect((await call('GET', path, { headers: { 'if-none-match': etag } })).status).toBe(200);
  });
});

describe('If-None-Match', () => {
  test.each([
    ['the tag', (etag: string) => etag, 304],
    ['the tag, weak', (etag: string) => `W/${etag}`, 304],
    ['a list with the tag', (etag: string) => `"x", ${etag} , "y"`, 304],
    ['*', () => '*', 304],
    ['another tag', () => '"x"', 200],
    ['a text that is not a tag', () => 'x', 200],
  ])('with %s is compared weakly', async (_, field, status) => {
    const { path, etag, user } = await create();
    const response = await call('GET', path, { headers: { 'if-none-match': field(etag) } });
    expect(response).toMatchObject({ status, body: status === 304 ? undefined : user });
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
    for (const field of [() => '"x"', (etag: string) => `W/${etag}`, () => 'x', () => '']) {
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

describe('two writers', () => {
  test('apply exactly those of 50 conditional patches that succeed', async () => {
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

  test('that repeat read, change and write until they succeed lose no change', async () => {
    const { path } = await create();
    let accepted = 0;
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        for (let done = 0; done < 5; ) {
          const { body, headers } = await call('GET', path);
          const etag = headers.get('etag') ?? '';
          const json = { age: ((body as User).age ?? 0) + 1 };
          const { status } = await call('PATCH', path, { json, headers: { 'if-match': etag } });
          if (status !== 200) continue;
          accepted++;
          done++;
        }
      }),
    );
    expect(accepted).toBe(50);
    expect((await call('GET', path)).body).toMatchObject({ age: 50 });
  });

  test('of different fields do not undo each other, even without conditions', async () => {
    const { path } = await create({ name: 'Ann' });
    const fields = { email: 'ann@example.com', age: 3, firstName: 'A', lastName: 'L', status: 's', country: 'c' };
    await Promise.all(
      Object.entries(fields).map(([field, value]) => call('PATCH', path, { json: { [field]: value } })),
    );
    expect((await call('GET', path)).body).toMatchObject({ name: 'Ann', ...fields });
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

  test('may be used again after a refused request', async () => {
    expect((await post('refused', { name: '' })).status).toBe(400);
    expect((await post('refused', { name: 'Ann' })).status).toBe(201);
  });

  test.each(['', 'a b', 'x'.repeat(256), 'é'])('must not be %j', async (key) => {
    expect(await post(key, { name: 'Ann' })).toMatchObject({
      status: 400,
      body: { message: 'Idempotency-Key must be 1 to 255 visible ASCII characters' },
    });
  });
});
