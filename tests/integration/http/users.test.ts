import { describe, expect, test } from 'vitest';
import { caller, createOver } from '../../support/httpService.ts';
import { sharedService } from '../../support/shared.ts';

const call = caller((await sharedService()).url);

interface User {
  id: number;
  name: string;
  createdAt: string;
  updatedAt: string;
  [field: string]: unknown;
}

const send = (method: string, path: string, type: string, body: string) =>
  call(method, path, { body, headers: { 'content-type': type } });

const get = async (path: string) => (await call('GET', path)).body;

test('POST /api/users creates a user and returns its Location', async () => {
  const before = Date.now();
  const json = {
    ...{ name: 'Ann Lee', email: 'ann@example.com', age: 30, firstName: 'Ann', lastName: 'Lee' },
    ...{ status: 'active', country: 'DE' },
  };
  const { status, headers, body } = await call('POST', '/api/users', { json });
  const { id, createdAt, updatedAt, ...fields } = body as User;
  expect([status, headers.get('location')]).toEqual([201, `/api/users/${id}`]);
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(fields).toEqual(json);
  expect(updatedAt).toBe(createdAt);
  expect(Number.isSafeInteger(id) && id > 0).toBe(true);
  expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.now() + 1);
  expect(await get(`/api/users/${id}`)).toEqual(body);
});

describe('/api/users/{id}', () => {
  const MERGE_PATCH = '{"age":31,"email":null,"lastName":"Lee","id":1,"other":1}';
  const JSON_PATCH = '[{"op":"replace","path":"/id","value":7},{"op":"move","from":"/email","path":"/lastName"}]';

  test.each([
    ['PUT', 'application/json', '{"id":7,"createdAt":"x","updatedAt":"x","name":"Bea"}', { name: 'Bea' }],
    ['PATCH', 'application/merge-patch+json', MERGE_PATCH, { name: 'Ann', age: 31, lastName: 'Lee' }],
    ['PATCH', 'application/json-patch+json', JSON_PATCH, { name: 'Ann', age: 30, lastName: 'a@b.de' }],
  ])('with %s of %s changes the user; id and createdAt stay', async (method, type, sent, fields) => {
    const { id, createdAt } = (await createOver(call)({ name: 'Ann', email: 'a@b.de', age: 30 })) as User;
    const { status, body } = await send(method, `/api/users/${id}`, type, sent);
    expect([status, body]).toEqual([200, { id, createdAt, updatedAt: expect.any(String), ...fields }]);
    expect(await get(`/api/users/${id}`)).toEqual(body);
  });

  test('with DELETE removes the user and has no content; a second DELETE is 404', async () => {
    const { id } = await createOver(call)({ name: 'Ann' });
    expect(await call('DELETE', `/api/users/${id}`)).toMatchObject({ status: 204, body: undefined });
    const body = { status: 404, message: `User not found with id: ${id}` };
    for (const method of ['GET', 'DELETE'])
      expect(await call(method, `/api/users/${id}`)).toMatchObject({ status: 404, body });
  });
});

// The gateway of a machine parses JSON, and so has no body for null.
test('the JSON null is a body that no undo takes, and no body is one', async () => {
  const { body: ann } = await call('POST', '/api/users', { json: { name: 'Ann', age: 1 } });
  const { id } = ann as { id: number };
  const edited = await call('POST', `/api/users/edits?id=${id}`, { json: { patch: { age: 2 }, atMost: 1 } });
  const path = `/api/users/edits/${(edited.body as { edit: string }).edit}/undo`;
  for (const body of ['null', 'false', '0', '""', '[]', 'x'])
    expect([
      body,
      (await call('POST', path, { body, headers: { 'content-type': 'application/json' } })).status,
    ]).toEqual([body, 400]);
  expect((await call('GET', `/api/users/${id}`)).body).toMatchObject({ age: 2 });
  expect((await call('POST', path)).body).toMatchObject({ changed: 1 });
  expect((await call('GET', `/api/users/${id}`)).body).toMatchObject({ age: 1 });
});
