import { describe, expect, test } from 'vitest';
import type { BatchResult } from '../../../schemas/batch.ts';
import { MAX_BATCH_BYTES, MAX_BODY_BYTES } from '../../../schemas/limits.ts';
import { handlerCalls } from '../../support/calls.ts';
import { logOfEachTest } from '../../support/logs.ts';

const log = logOfEachTest();

const call = await handlerCalls();

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
  const user = (id: unknown, fields: object) => ({
    id,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
    ...fields,
  });
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

describe('an operation is refused by itself', () => {
  const user = { name: 'Ann' };
  const long = { ...user, more: 'x'.repeat(MAX_BODY_BYTES - 24) };
  test.each<[unknown, string, string?]>([
    [null, 'An operation must be an object'],
    [[], 'An operation must be an object'],
    [{}, 'op must be one of create, upsert, replace, patch, delete'],
    [{ op: 'toString' }, 'op must be one of create, upsert, replace, patch, delete'],
    [{ op: 'create' }, 'user is required for create'],
    [{ op: 'create', user: null }, 'user is required for create'],
    [{ op: 'create', user: [] }, 'user must be an object'],
    [{ op: 'create', user: { ...long, id: 1 } }, 'user must be at most 65536 bytes'],
    [{ op: 'create', user, externalId: 'a' }, 'create takes only user, id'],
    [{ op: 'create', user, ifMatch: '*' }, 'create takes only user, id'],
    [
      { op: 'create', user, id: Number.MAX_SAFE_INTEGER },
      'No user can have the id 9007199254740991 yet',
      'impossible-id',
    ],
    [{ op: 'upsert', user }, 'externalId is required for upsert'],
    [{ op: 'upsert', externalId: 7, user }, 'externalId must be a string'],
    [{ op: 'upsert', externalId: ' ', user }, 'externalId is required for upsert'],
    [
      { op: 'upsert', externalId: 'a', user: { ...user, externalId: 'b' } },
      'The user must have the externalId that is asked for, or none',
      'invalid-parameter',
    ],
    [{ op: 'replace', id: '7', user }, 'id must be a 64-bit integer', 'invalid-parameter'],
    [{ op: 'replace', id: 1.5, user }, 'id must be a 64-bit integer', 'invalid-parameter'],
    [{ op: 'patch', id: 7 }, 'patch is required for patch'],
    [{ op: 'patch', id: 7, patch: [] }, 'patch must be an object'],
    [{ op: 'patch', id: 7, patch: {}, ifMatch: 1 }, 'ifMatch must be a string'],
    [{ op: 'delete', id: 7, x: 1 }, 'delete takes only id, ifMatch'],
  ])('if wrong: %j', async (operation, message, code = 'validation') => {
    // A member that is null counts as absent.
    const good = { op: 'create', user: long, id: null, externalId: null, patch: null };
    const [first, refused, third] = await send([good, operation, good]);
    expect([first?.status, refused, third?.status]).toEqual([201, { status: 400, code, message }, 201]);
  });

  test('as one about nobody, if no user can have the id', async () => {
    const operations = [-1, 0, 2 ** 53, -(2 ** 63)].map((id) => ({ op: 'delete', id }));
    const ids = ['-1', '0', '9007199254740992', '-9223372036854775808'];
    expect(await send(operations)).toEqual(
      ids.map((id) => ({ status: 404, code: 'user-not-found', message: `User not found with id: ${id}` })),
    );
  });
});

describe('a body', () => {
  const NONE = 'Request body must be an object with operations, an array of at most 100';
  const post = (body: string) =>
    call('POST', '/api/users/batch', { body, headers: { 'content-type': 'application/json' } });

  test.each([
    ['[]', 400, NONE],
    ['{"operations":{}}', 400, NONE],
    [`{"operations":[${'{},'.repeat(100)}{}]}`, 400, NONE],
    [
      `{"operations":${'['.repeat(100)}${']'.repeat(100)}}`,
      400,
      'Request body must not be nested deeper than 100 levels',
    ],
    [`{"operations":[]}${' '.repeat(MAX_BATCH_BYTES)}`, 413, 'Request body must be at most 1048576 bytes'],
  ])('that is no batch is refused as a whole: %#', async (body, status, message) => {
    expect(await post(body)).toMatchObject({ status, body: { status, message } });
  });

  test('of a megabyte, and one without operations, are taken', async () => {
    expect(await send([])).toEqual([]);
    const operations = Array.from({ length: 16 }, () => ({
      op: 'create',
      user: { name: 'Ann', more: 'x'.repeat(65_000) },
    }));
    expect((await send(operations)).map(({ status }) => status)).toEqual(operations.map(() => 201));
  });

  test('has a rounded number only in the operation that it refuses', async () => {
    const age =
      '[{"op":"create","user":{"name":"Ann","age":1.00000000000000001}},{"op":"create","user":{"name":"Ann"}}]';
    const { body } = await post(`{"operations":${age}}`);
    expect((body as { results: BatchResult[] }).results).toMatchObject([
      { status: 400, message: 'Age must be positive' },
      { status: 201 },
    ]);
  });
});

test('a batch costs what its operations cost, and its line in the log counts them', async () => {
  const unitsOf = async (operations: object[]): Promise<number> => {
    await send(operations);
    return Number(log.requests.at(-1)?.writeUnits);
  };
  // The indexes do not cost the same for each id.
  const create = { op: 'create', user: { name: 'Ann', lastName: 'Lee' } };
  const one = await unitsOf([create]);
  expect(one).toBeGreaterThan(4);
  expect(await unitsOf(Array.from({ length: 40 }, () => create))).toBe(40 * one);
  await unitsOf([create, { op: 'delete', id: 7 }, { op: 'delete', id: 8 }, { op: 'create', user: {} }]);
  expect(log.requests.at(-1)).toMatchObject({
    ...{ route: 'POST /api/users/batch', status: 200, operations: 4, failed: { 400: 1, 404: 2 }, writeUnits: one },
  });
});

test('creates with a key are repeatable in other parts and orders; of equal users each is one', async () => {
  const create = async (...names: string[]) => {
    const operations = names.map((name) => ({ op: 'create', user: { name } }));
    const headers = { 'Idempotency-Key': 'k' };
    const { body } = await call('POST', '/api/users/batch', { json: { operations }, headers });
    return (body as { results: BatchResult[] }).results;
  };
  const first = await create('Ann', 'Bob', 'Ann');
  expect(first.map(({ status }) => status)).toEqual([201, 201, 201]);
  const again = await create('Cy', 'Bob', 'Ann', 'Ann', 'Ann');
  expect(again.map(({ status }) => status)).toEqual([201, 200, 200, 200, 201]);
  const ids = (results: BatchResult[]) => new Set(results.map(({ id }) => id));
  expect(ids(again)).toEqual(new Set([...ids(first), again[0]?.id, again[4]?.id]));
});
