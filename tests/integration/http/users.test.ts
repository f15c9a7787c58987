import { beforeAll, describe, expect, test } from 'vitest';
import { type Call, caller } from '../../support/httpService.ts';
import { sharedService } from '../../support/sharedService.ts';

let call: Call;

beforeAll(async () => {
  call = caller((await sharedService()).url);
});

interface User {
  id: number;
  name: string;
  createdAt: string;
  [field: string]: unknown;
}

const create = async (fields: object): Promise<User> =>
  (await call('POST', '/api/users', { json: fields })).body as User;

const get = async (path: string) => (await call('GET', path)).body;

describe('POST /api/users', () => {
  test('creates a user and returns its Location', async () => {
    const before = Date.now();
    const { status, headers, body } = await call('POST', '/api/users', {
      json: {
        name: 'Ann Lee',
        email: 'ann@example.com',
        age: 30,
        firstName: 'Ann',
        lastName: 'Lee',
        status: 'active',
        country: 'DE',
      },
    });
    const { id, createdAt, ...fields } = body as User;
    expect(status).toBe(201);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('location')).toBe(`/api/users/${id}`);
    expect(fields).toEqual({
      name: 'Ann Lee',
      email: 'ann@example.com',
      age: 30,
      firstName: 'Ann',
      lastName: 'Lee',
      status: 'active',
      country: 'DE',
    });
    expect(Number.isSafeInteger(id) && id > 0).toBe(true);
    expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.now() + 1);
    expect(await get(`/api/users/${id}`)).toEqual(body);
  });

  test('ignores id, createdAt and unknown members, and reads null as no value', async () => {
    const body = '{"name":"Ann","id":5,"createdAt":"x","email":null,"constructor":{},"prototype":1,"extra":[]}';
    const created = await call('POST', '/api/users', { body, headers: { 'content-type': 'application/json' } });
    expect(created.status).toBe(201);
    expect(Object.keys(created.body as User)).toEqual(['id', 'name', 'createdAt']);
    expect((created.body as User).id).not.toBe(5);
  });

  test.each([
    ['{}', 400, 'Name is required'],
    ['{"name":"Ann","age":-1}', 400, 'Age must be positive'],
    [`{"name":"${'x'.repeat(1_100_000)}"}`, 413, 'Request body must be at most 1048576 bytes'],
    ['{"name":"Ann"', 400, 'Request body is not valid JSON'],
    ['   ', 400, 'Request body is required'],
    ['', 400, 'Request body is required'],
  ])('refuses %s', async (body, status, message) => {
    const response = await call('POST', '/api/users', { body, headers: { 'content-type': 'application/json' } });
    expect(response).toMatchObject({ status, body: { status, message } });
  });

  test('accepts JSON with media type parameters, in any case, and with a byte order mark', async () => {
    const headers = { 'content-type': 'Application/JSON; charset=UTF-8' };
    expect((await call('POST', '/api/users', { body: '\uFEFF{"name":"Ann"}', headers })).status).toBe(201);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'application/merge-patch+json'])(
    'refuses %s with 415',
    async (type) => {
      const response = await call('POST', '/api/users', { body: '{"name":"Ann"}', headers: { 'content-type': type } });
      expect(response).toMatchObject({ status: 415, body: { message: 'Content-Type must be application/json' } });
    },
  );

  test('writes nothing for a client that cannot read the response', async () => {
    const json = { name: 'Ann', status: 'unreadable' };
    for (const accept of ['text/html', 'application/xml, text/*', 'application/json;q=0', '*/*;q=0']) {
      expect((await call('POST', '/api/users', { json, headers: { accept } })).status).toBe(406);
    }
    expect(await get('/api/users?status=unreadable')).toMatchObject({ totalElements: 0 });
  });

  test.each(['application/json', '*/*', 'application/*', 'text/html, */*;q=0.1'])(
    'responds to a client that accepts %s',
    async (accept) => {
      expect((await call('GET', '/api/users', { headers: { accept } })).status).toBe(200);
    },
  );
});

describe('GET /api/users/{id}', () => {
  test.each([
    ['1', 404, 'User not found with id: 1'],
    ['9223372036854775808', 400, 'id must be a 64-bit integer'],
    ['1%00', 400, 'id must be a 64-bit integer'],
  ])('of %s is %d', async (id, status, message) => {
    expect(await call('GET', `/api/users/${id}`)).toMatchObject({ status, body: { status, message } });
  });
});

describe('PUT /api/users/{id}', () => {
  test('replaces the user: missing fields are removed, id and createdAt stay', async () => {
    const { id, createdAt } = await create({ name: 'Ann', email: 'ann@example.com', age: 30, status: 'active' });
    const { status, body } = await call('PUT', `/api/users/${id}`, {
      json: { id: 7, createdAt: 'x', name: 'Bea', country: 'FR' },
    });
    expect({ status, body }).toEqual({ status: 200, body: { id, createdAt, name: 'Bea', country: 'FR' } });
    expect(await get(`/api/users/${id}`)).toEqual(body);
  });

  test('refuses what POST refuses and changes nothing', async () => {
    const user = await create({ name: 'Ann' });
    const response = await call('PUT', `/api/users/${user.id}`, { json: { name: 'Bea', age: -1 } });
    expect(response).toMatchObject({ status: 400, body: { message: 'Age must be positive' } });
    expect(await get(`/api/users/${user.id}`)).toEqual(user);
  });

  test('is 404 for a user that does not exist', async () => {
    expect(await call('PUT', '/api/users/12345', { json: { name: 'Ann' } })).toMatchObject({
      status: 404,
      body: { message: 'User not found with id: 12345' },
    });
  });
});

describe('PATCH /api/users/{id}', () => {
  test.each(['application/merge-patch+json', 'application/json'])('merges %s into the user', async (type) => {
    const user = await create({ name: 'Ann', email: 'ann@example.com', age: 30 });
    const patch = '{"age":31,"email":null,"lastName":"Lee","id":1,"createdAt":"x"}';
    const { status, body } = await call('PATCH', `/api/users/${user.id}`, {
      body: patch,
      headers: { 'content-type': type },
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: { id: user.id, createdAt: user.createdAt, name: 'Ann', age: 31, lastName: 'Lee' },
    });
    expect(await get(`/api/users/${user.id}`)).toEqual(body);
  });

  test.each([
    ['application/json', '{"age":-1}', 400, 'Age must be positive'],
    [
      'application/json-patch+json',
      '[{"op":"copy","from":"/constructor/name","path":"/lastName"}]',
      409,
      'Operation 0 of the patch (copy) does not apply to the user',
    ],
  ])('of %s refuses %s and changes nothing', async (type, body, status, message) => {
    const user = await create({ name: 'Ann' });
    const response = await call('PATCH', `/api/users/${user.id}`, { body, headers: { 'content-type': type } });
    expect(response).toMatchObject({ status, body: { status, message } });
    expect(await get(`/api/users/${user.id}`)).toEqual(user);
  });

  test('names the accepted patches when it refuses one', async () => {
    const response = await call('PATCH', '/api/users/1', { body: 'x', headers: { 'content-type': 'text/plain' } });
    expect(response.status).toBe(415);
    expect(response.headers.get('accept-patch')).toBe(
      'application/merge-patch+json, application/json-patch+json, application/json',
    );
  });

  test('is 404 for a user that does not exist', async () => {
    expect((await call('PATCH', '/api/users/12345', { json: {} })).status).toBe(404);
  });
});

describe('DELETE /api/users/{id}', () => {
  test('removes the user and has no content; a second DELETE is 404', async () => {
    const { id } = await create({ name: 'Ann' });
    expect(await call('DELETE', `/api/users/${id}`)).toMatchObject({ status: 204, body: undefined });
    for (const method of ['GET', 'DELETE']) {
      expect(await call(method, `/api/users/${id}`)).toMatchObject({
        status: 404,
        body: { message: `User not found with id: ${id}` },
      });
    }
  });
});
