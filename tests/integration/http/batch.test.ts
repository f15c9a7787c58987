import { beforeAll, expect, test } from 'vitest';
import type { BatchResult } from '../../../schemas/batch.ts';
import { handlerCalls } from '../../support/calls.ts';
import type { Call } from '../../support/httpService.ts';
import { logOfEachTest } from '../../support/logs.ts';

logOfEachTest();

let call: Call;

beforeAll(async () => {
  call = await handlerCalls();
});

const send = async (operations: unknown, headers: Record<string, string> = {}): Promise<BatchResult[]> => {
  const { status, body } = await call('POST', '/api/users/batch', { json: { operations }, headers });
  expect([status, Object.keys(body as object)]).toEqual([200, ['results']]);
  return (body as { results: BatchResult[] }).results;
};

const create = async (fields: object = {}): Promise<number> =>
  ((await call('POST', '/api/users', { json: { name: 'Ann', ...fields } })).body as { id: number }).id;

test('each operation has the result that a request of its own has, in the order of the operations', async () => {
  const [a, b, c, d] = [await create({ age: 1 }), await create(), await create(), await create()];
  const results = await send([
    { op: 'delete', id: a, ifMatch: '"1"' },
    { op: 'create', user: { name: 'Bea', email: 'bea@example.com' } },
    { op: 'patch', id: b, patch: { age: 31 } },
    { op: 'replace', id: c, user: { name: 'Cid' }, ifMatch: '*' },
    { op: 'replace', id: d, user: { name: 'Dan' }, ifMatch: '"7"' },
    { op: 'upsert', externalId: 'e', user: { name: 'Eve' } },
    { op: 'create', user: { email: 'x' } },
    { op: 'delete', id: 7 },
  ]);
  const user = (id: unknown, fields: object) => ({ id, createdAt: expect.any(String), ...fields });
  const [bea, eve] = [results[1]?.id, results[5]?.id];
  expect(results).toEqual([
    { status: 204, id: a },
    { status: 201, id: bea, etag: '"1"', user: user(bea, { name: 'Bea', email: 'bea@example.com' }) },
    { status: 200, id: b, etag: '"2"', user: user(b, { name: 'Ann', age: 31 }) },
    { status: 200, id: c, etag: '"2"', user: user(c, { name: 'Cid' }) },
    { status: 412, code: 'precondition-failed', message: 'The user has changed: its ETag is now "1"' },
    { status: 201, id: eve, etag: '"1"', user: user(eve, { name: 'Eve', externalId: 'e' }) },
    { status: 400, code: 'validation', message: 'Name is required' },
    { status: 404, code: 'user-not-found', message: 'User not found with id: 7' },
  ]);
});
