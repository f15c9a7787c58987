import { beforeAll, describe, expect, test } from 'vitest';
import { type Call, caller } from '../support/httpService.ts';
import { sharedService } from '../support/sharedService.ts';

let call: Call;

beforeAll(async () => {
  call = caller((await sharedService()).url);
});

const NONE = { 'if-none-match': '*' };

const put = (id: number | string | bigint, json: object, headers: Record<string, string> = NONE) =>
  call('PUT', `/api/users/${id}`, { json, headers });

/** An id of a moment in 2024, by chance. */
const someId = () => 600_000_000_000_000 + Math.floor(Math.random() * 1e12);

describe('PUT with If-None-Match: *', () => {
  test('creates the user with the id, from which createdAt follows', async () => {
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

  test('is 412 where there is one, whoever it is', async () => {
    const id = someId();
    expect((await put(id, { name: 'Ann' })).status).toBe(201);
    for (const name of ['Ann', 'Bea']) {
      const { status, body } = await put(id, { name });
      expect([status, body]).toEqual([412, { status: 412, message: `There is a user with the id ${id}` }]);
    }
    expect((await call('GET', `/api/users/${id}`)).body).toMatchObject({ name: 'Ann' });
  });

  test('gives a deleted user back, with another ETag than any that it had', async () => {
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
  ])('refuses the id %s, which this service cannot have given', async (id, status) => {
    expect((await put(id, { name: 'Ann' })).status).toBe(status);
  });

  test('takes the first id there can be, once', async () => {
    const { status } = await put(1, { name: 'First' });
    expect([201, 412]).toContain(status);
    await call('DELETE', '/api/users/1');
  });

  test('validates the body as any PUT, and writes nothing then', async () => {
    const id = someId();
    const { status, body } = await put(id, { name: ' ' });
    expect([status, body]).toEqual([400, { status: 400, message: 'Name is required' }]);
    expect((await call('GET', `/api/users/${id}`)).status).toBe(404);
  });

  test('cannot be combined with If-Match, and other tags than * create nothing', async () => {
    const id = someId();
    expect((await put(id, { name: 'Ann' }, { ...NONE, 'if-match': '*' })).status).toBe(412);
    for (const tag of ['"*"', '"1"', 'W/"1"'])
      expect((await put(id, { name: 'Ann' }, { 'if-none-match': tag })).status).toBe(404);
    expect((await put(id, { name: 'Ann' }, {})).status).toBe(404);
    expect((await put(`00${id}`, { name: 'Ann' })).headers.get('location')).toBe(`/api/users/${id}`);
  });

  test('creates one user for twenty at once', async () => {
    const id = someId();
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => put(id, { name: `Ann ${i}` })));
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(412)]);
  });
});
