import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { handlerCalls } from '../../support/calls.ts';
import { logOfEachTest } from '../../support/logs.ts';

logOfEachTest();

const call = await handlerCalls();

const NONE = { 'if-none-match': '*' };

interface User {
  id: number;
}

async function create(fields: object = { name: 'Ann', age: 0 }): Promise<{ user: User; path: string; etag: string }> {
  const { body, headers } = await call('POST', '/api/users', { json: fields });
  return { user: body as User, path: `/api/users/${(body as User).id}`, etag: headers.get('etag') ?? '' };
}

const tagOf = async (path: string) => (await call('GET', path)).headers.get('etag') ?? '';

test('a PUT or PATCH that changes nothing is answered as any other, and leaves all tags and what happened as they are', async () => {
  const { path, etag, user } = await create({ name: 'Zo\u00eb', age: 3 });
  const list = await tagOf('/api/users');
  for (const [method, json, headers] of [
    ['PUT', { name: 'Zo\u00eb', age: 3, email: null, id: 7, other: 1 }, {}],
    ['PATCH', { age: 3, status: null, id: 7, other: 1 }, { 'if-match': etag }],
    ['PATCH', [{ op: 'test', path: '/age', value: 3 }], { 'content-type': 'application/json-patch+json' }],
  ] as const)
    expect(await call(method, path, { json, headers })).toMatchObject({ status: 200, body: user });
  expect((await call('PUT', path, { json: { name: 'Zo\u00eb', age: 3 }, headers: { 'if-match': '"0"' } })).status).toBe(
    412,
  );
  expect([await tagOf(path), await tagOf('/api/users')]).toEqual([etag, list]);
  expect((await call('GET', `${path}/changes`)).body).toHaveLength(1);
});

/** The status for a client that has this tag. A 304 has no content. */
async function ask(path: string, tag: string): Promise<number> {
  const { body, headers } = await call('GET', path);
  const response = await call('GET', path, { headers: { 'if-none-match': tag } });
  for (const name of ['etag', 'content-type']) expect(response.headers.get(name)).toBe(headers.get(name));
  expect(response.body).toEqual(response.status === 304 ? undefined : body);
  return response.status;
}

test('If-None-Match for a user is compared weakly', async () => {
  const { path, etag } = await create();
  for (const field of [etag, `W/${etag}`, `"x", ${etag} , W/"y"`, '*']) expect(await ask(path, field)).toBe(304);
  for (const field of ['"x"', 'x', 'x*y']) expect(await ask(path, field)).toBe(200);
});

test.each([
  '/api/users?after=&sort=age',
  '/api/users?status=none&page=3',
  '/api/users/cursor?cursor=0&country=DE',
  '/api/users/all',
])(
  'the ETag of %s is weak, differs from those of CSV and NDJSON, and changes with every write to any user and with nothing else',
  async (path) => {
    const json = { name: 'Nobody', status: 'unasked' };
    const tags = [await tagOf(path)];
    const user = await create(json);
    tags.push(await tagOf(path));
    for (const write of [
      { method: 'PUT', json: { ...json, age: 2 } },
      { method: 'PATCH', json: { age: 1 } },
      { method: 'DELETE' },
    ]) {
      await call(write.method, user.path, { json: write.json });
      tags.push(await tagOf(path));
    }
    for (const tag of tags) expect(tag).toMatch(/^W\/"[0-9a-z]{1,6}-[0-9a-f]{12}"$/);
    expect(new Set(tags).size).toBe(5);
    await call('GET', user.path);
    await call('POST', '/api/users', { json: { name: '' } });
    await call('PUT', user.path, { json });
    const [old = '', last = ''] = tags.slice(-2);
    for (const field of [last, last.replace('W/', ''), `"x", ${last} , W/"y"`])
      expect(await ask(path, field)).toBe(304);
    const others = [last];
    for (const accept of ['text/csv', 'application/x-ndjson']) {
      const first = await call('GET', path, { headers: { accept, 'if-none-match': others.join() } });
      const [type, tag = ''] = ['content-type', 'etag'].map((name) => first.headers.get(name) ?? '');
      expect([first.status, type?.split(';')[0]]).toEqual([200, accept]);
      expect(await ask(path, tag)).toBe(200);
      const again = await call('GET', path, { headers: { accept, 'if-none-match': tag } });
      expect([again.status, again.headers.get('content-type')]).toEqual([304, type]);
      others.push(tag);
    }
    expect(await ask(path, old)).toBe(200);
  },
);

test.each([
  ['-PT1H', 200],
  ['2026-11-01', 304],
])(
  'a list of users since %s is %i for a client that has its tag: time takes users away from the first',
  async (since, status) => {
    for (const path of ['/api/users', '/api/users/cursor', '/api/users/all', '/api/users/counts']) {
      const tag = await tagOf(`${path}?createdAt.gte=${since}`);
      await setTimeout(2);
      const headers = { 'if-none-match': tag };
      expect((await call('GET', `${path}?createdAt.gte=${since}`, { headers })).status).toBe(status);
    }
  },
);

test.each([
  ['PUT', { name: 'Bea' }, 200],
  ['PATCH', { age: 5 }, 200],
  ['DELETE', undefined, 204],
])(
  'If-Match refuses %s when the tag is old, and says what else is wrong with the field; it allows the newest tag, in a list, or *',
  async (method, json, status) => {
    const { path, etag, user } = await create();
    const form = 'must be * alone, or ETags in double quotes with commas between them: the ETag of the user is "1"';
    const weak = 'never holds for a weak ETag (W/): the ETag of the user is "1"';
    for (const [message, fields] of [
      ['The user has changed: its ETag is now "1"', ['"2"', '"2", "x"', '"2", W/"3"', '"999999999999"', ',"2" ,']],
      [`If-Match ${weak}`, ['W/"1"', 'W/"2"', '"2", W/"1"']],
      [`If-Match ${form}`, ['1', 'W/1', 'w/"1"', '"1', "'1'", 'x', '', ',', '"2", *', '"*"', '"1" "2"', '2, "3"']],
      [
        `If-Match has an ETag that no user can have: the ETag of the user is "1"`,
        ['"x"', '"1-gzip"', '"1000000000000"'],
      ],
    ] as const)
      for (const field of fields)
        expect(await call(method, path, { json, headers: { 'if-match': field } }), field).toMatchObject({
          status: 412,
          body: { message },
        });
    for (const [field, why] of [
      [`W/${etag}`, 'does not hold: the ETag of the user is "1"'],
      ...['1', '"*"', '"2" "3"'].map((field) => [field, form]),
    ])
      expect(await call(method, path, { json, headers: { 'if-none-match': `${field}` } }), field).toMatchObject({
        ...{ status: 412, body: { message: `If-None-Match ${why}` } },
      });
    expect((await call('GET', path)).body).toEqual(user);
    for (const field of ['*', etag, `"x,", ${etag}`]) {
      const { path } = await create();
      expect((await call(method, path, { json, headers: { 'if-match': field } })).status).toBe(status);
    }
    expect(await call(method, '/api/users/12345', { json, headers: { 'if-match': '*' } })).toMatchObject({
      status: 404,
      body: { status: 404, message: 'User not found with id: 12345' },
    });
  },
);

describe('an Idempotency-Key', () => {
  const post = (key: string, json: object) => call('POST', '/api/users', { json, headers: { 'idempotency-key': key } });

  test('returns the user as it was created, even after a change, and is refused with another body', async () => {
    const first = await post('again', { name: 'Ann', age: 3 });
    await call('PATCH', `/api/users/${(first.body as User).id}`, { json: { age: 4 } });
    const second = await post('"again"', { age: 3, name: 'Ann', unknown: 1, id: 9 });
    expect(second.body).toEqual(first.body);
    const replayed = [first, second].map(({ headers }) => headers.get('idempotency-replayed'));
    expect(replayed).toEqual([null, 'true']);
    expect(await post('again', { name: 'Bea' })).toMatchObject({
      status: 422,
      body: { message: 'Idempotency-Key was used for another request body within the last day' },
    });
  });
});

const put = (id: number | string | bigint, json: object, headers: Record<string, string> = NONE) =>
  call('PUT', `/api/users/${id}`, { json, headers });

/** A random id from 2024. */
const someId = () => 600_000_000_000_000 + Math.floor(Math.random() * 1e12);

describe('PUT with If-None-Match: *', () => {
  test('creates a user with this id, which gives its createdAt, and is 412 from then on', async () => {
    const id = someId();
    const { status, headers, body } = await put(`00${id}`, { name: 'Ann', lastName: `L${id}` });
    expect([status, headers.get('location')]).toEqual([201, `/api/users/${id}`]);
    expect(body).toEqual({
      ...{ id, name: 'Ann', lastName: `L${id}` },
      createdAt: expect.stringMatching(/^2024-/),
      updatedAt: expect.stringMatching(new RegExp(`^${new Date().getUTCFullYear()}-`)),
    });
    const again = { status: 412, body: { status: 412, message: `There is a user with the id ${id}` } };
    for (const name of ['Ann', 'Bea']) expect(await put(id, { name })).toMatchObject(again);
    const found = await call('GET', `/api/users/${id}`);
    expect([found.body, found.headers.get('etag')]).toEqual([body, headers.get('etag')]);
    const { body: page } = await call('GET', `/api/users?keyword=L${id}`);
    expect(page).toMatchObject({ totalElements: 1, content: [body] });
  });

  test('brings a deleted user back, with an ETag that it never had before', async () => {
    const { user, path, etag } = await create();
    await call('DELETE', path);
    const again = await put(user.id, { name: 'Bea' });
    expect(again).toMatchObject({ status: 201, body: { id: user.id, name: 'Bea' } });
    const version = (tag: string | null) => Number(tag?.slice(1, -1));
    expect(version(again.headers.get('etag'))).toBeGreaterThan(version(etag) + 1);
    const { body } = await call('GET', `${path}/changes`);
    expect((body as { type: string }[]).map(({ type }) => type)).toEqual(['created', 'deleted', 'created']);
  });

  test.each([0, -5, Date.now() * 4_096, Number.MAX_SAFE_INTEGER, 2n ** 53n, 2n ** 63n, 'x'])(
    'refuses the id %s, which no user can have had',
    async (id) => {
      expect((await put(id, { name: 'Ann' })).status).toBe(400);
    },
  );

  test('creates nothing if the body is not valid, with If-Match, or with another tag than *', async () => {
    const id = someId();
    expect(await put(id, { name: ' ' })).toMatchObject({ status: 400, body: { message: 'Name is required' } });
    expect((await put(id, { name: 'Ann' }, { ...NONE, 'if-match': '*' })).status).toBe(412);
    for (const tag of ['"*"', '"1"', 'W/"1"'])
      expect((await put(id, { name: 'Ann' }, { 'if-none-match': tag })).status).toBe(404);
    expect((await put(id, { name: 'Ann' }, {})).status).toBe(404);
    expect((await call('GET', `/api/users/${id}`)).status).toBe(404);
  });
});
