import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createDynamo } from '../../lib/dynamodb/client.ts';
import { systemRuntime } from '../../lib/runtime.ts';
import { totalOrder } from '../../lib/users/listing/order.ts';
import { createUserStore } from '../../lib/users/store.ts';
import { type Fault, injectFaults } from '../support/faults.ts';
import { counted, countedCells, everything, recount } from '../support/recount.ts';
import { createTestService, type TestService } from '../support/store.ts';

/** Promise.withResolvers, which Node 20 does not have. */
function withResolvers() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Without the rows of last names. */
const countRows = async (service: TestService) =>
  (await everything(service)).directory.filter(({ pk }) => pk === 'count');

const ann = { name: 'Ann', lastName: 'Lee', status: 'active', country: 'DE' };

describe('a store', () => {
  test('gives back what was created, by id', async () => {
    const { users } = await createTestService();
    const fields = { ...ann, email: 'ann@example.com', age: 0, firstName: '' };
    const { id, ...created } = await users.create(fields);
    expect(created).toEqual({ ...fields, version: 1 });
    expect(await users.get(id)).toEqual({ ...fields, id, version: 1 });
  });

  test('raises the version with every write and keeps the id', async () => {
    const { users } = await createTestService();
    const { id } = await users.create(ann);
    await users.update(id, () => ({ name: 'Bea' }));
    expect(await users.update(id, (current) => ({ ...current, age: 3 }))).toEqual({
      id,
      version: 3,
      name: 'Bea',
      age: 3,
    });
    expect(await users.get(id)).toEqual({ id, version: 3, name: 'Bea', age: 3 });
  });

  test('has no user after it was deleted, and nothing is counted of it', async () => {
    const service = await createTestService();
    const { id } = await service.users.create(ann);
    await service.users.delete(id);
    await expect(service.users.get(id)).rejects.toMatchObject({
      status: 404,
      message: `User not found with id: ${id}`,
    });
    expect(await countedCells(service)).toEqual({});
    expect(await everything(service)).toEqual({ users: [], directory: [] });
  });

  test.each(['get', 'update', 'delete'] as const)('answers %s of an unknown id with 404', async (method) => {
    const { users } = await createTestService();
    const call = method === 'update' ? users.update(7, () => ann) : users[method](7);
    await expect(call).rejects.toMatchObject({ status: 404, message: 'User not found with id: 7' });
  });

  test('draws another id when one is taken', async () => {
    const runtime = { now: () => 1_790_000_000_000, random: () => 0.5 };
    const first = await createTestService(runtime);
    const { id } = await first.users.create(ann);
    const second = createUserStore({ ...first, runtime: { ...systemRuntime, ...runtime } });
    expect((await second.create({ name: 'Bea' })).id).toBe(id + 1);
    expect(await first.users.get(id)).toMatchObject({ name: 'Ann', version: 1 });
  });
});

describe('counts', () => {
  test('follow a user from one status and country to another', async () => {
    const service = await createTestService();
    const { id } = await service.users.create(ann);
    await service.users.create({ ...ann, country: 'FR' });
    await service.users.update(id, () => ({ name: 'Ann', country: 'DE' }));
    expect(await countedCells(service)).toEqual({ '-/DE': 1, 'active/FR': 1 });
  });

  test('are not touched by a write that changes neither', async () => {
    const service = await createTestService();
    const { id } = await service.users.create({ ...ann, age: 34 });
    await service.users.create({ ...ann, age: 9, name: 'Ёлка' });
    const { directory } = await everything(service);
    await service.users.update(id, (current) => ({ ...current, name: 'Юлия', age: 8 }));
    expect((await everything(service)).directory).toEqual(directory);
  });

  test('remember in which zones of the orders the users of a cell are', async () => {
    const service = await createTestService();
    const { id } = await service.users.create({ ...ann, age: 34 });
    await service.users.update(id, (current) => ({ ...current, name: 'Юлия', age: 8 }));
    const [row] = await countRows(service);
    expect(row).toMatchObject({ n: 1, name: new Set([1, 5]), age: new Set([0, 3]), email: new Set([64]) });
  });

  test('stay in one row while nobody contends', async () => {
    const service = await createTestService();
    for (let i = 0; i < 5; i++) await service.users.create(ann);
    expect(await countRows(service)).toMatchObject([{ pk: 'count', sk: 'active\0DE\x000', n: 5 }]);
  });

  test('equal a recount after 2,000 parallel writes of 25 writers, and no update is lost', async () => {
    const service = await createTestService();
    const { users } = service;
    const statuses = ['active', 'locked', undefined];
    const countries = ['DE', 'FR'];
    const pick = <Value>(values: Value[], n: number) => values[n % values.length] as Value;
    const fields = (n: number) => {
      const status = pick(statuses, n);
      return {
        name: `User ${n}`,
        lastName: pick(['Lee', 'Ley', 'Øst', `Rare${n}`], n),
        country: pick(countries, n),
        ...(status !== undefined && { status }),
      };
    };
    const shared = (await users.createMany(Array.from({ length: 10 }, (_, n) => ({ ...fields(n), age: 0 })))).map(
      ({ id }) => id,
    );
    let increments = 0;
    let kept = shared.length;
    async function writer(w: number): Promise<void> {
      for (let n = 0; n < 20; n++) {
        const { id } = await users.create(fields(w + n));
        await users.update(id, () => fields(w + n + 1));
        if (n % 2 === 0) await users.delete(id);
        else kept++;
        await users.update(pick(shared, w + n), (current) => ({
          ...current,
          age: (current.age ?? 0) + 1,
          ...fields(w * n),
        }));
        increments++;
      }
    }
    await Promise.all(Array.from({ length: 25 }, (_, w) => writer(w)));

    const cells = await countedCells(service);
    expect(Object.values(cells).reduce((sum, n) => sum + n, 0)).toBe(kept);
    expect(await counted(service)).toEqual(await recount(service));
    const ages = await Promise.all(shared.map(async (id) => (await users.get(id)).age ?? 0));
    expect(ages.reduce((sum, age) => sum + age, 0)).toBe(increments);
  });
});

describe('the rows of a user', () => {
  test('do not grow with the statuses that it once had', async () => {
    const service = await createTestService();
    const { id } = await service.users.create({ ...ann, age: 1 });
    for (let n = 0; n < 30; n++) await service.users.update(id, () => ({ ...ann, status: `s${n}` }));
    expect(await counted(service)).toEqual(await recount(service));
    const rows = (await everything(service)).directory;
    expect(rows.map((row) => Object.keys(row).length)).toEqual([8, 4, 4, 4]);
  });

  test('keep its zones while another user leaves the cell', async () => {
    const service = await createTestService();
    const { users } = service;
    const first = await users.create({ name: 'Яна', status: 'x' });
    await users.update(first.id, (current) => ({ ...current, name: 'Ann' }));
    await users.createMany(Array.from({ length: 30 }, (_, n) => ({ name: `Юрий ${n}`, status: 'other' })));

    // The first user is about to be deleted; its rows are read already.
    const held = withResolvers();
    const isRead = withResolvers();
    const slow = await createTestService({}, service.tables);
    slow.dynamo.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName === 'TransactWriteItemsCommand') {
            isRead.resolve();
            await held.promise;
          }
          return next(args);
        },
      { step: 'initialize' },
    );
    const deletion = slow.users.delete(first.id);
    await isRead.promise;

    // Another comes, is counted in another shard for a conflict, and moves to a zone that the first one's row knows.
    const contended = await createTestService({ random: () => 0.5 }, service.tables);
    injectFaults(contended.dynamo, 'TransactWriteItemsCommand', ['conflict']);
    const second = await contended.users.create({ name: 'Bob', status: 'x' });
    await users.update(second.id, (current) => ({ ...current, name: 'Борис' }));
    held.resolve();
    await deletion;

    const order = totalOrder([{ property: 'name', direction: 'asc' }]);
    const page = await service.listing.page({
      filters: { status: 'x' },
      keyword: undefined,
      order,
      number: 0,
      size: 20,
    });
    expect(page).toEqual({ users: [{ ...second, version: 2, name: 'Борис' }], total: 1 });
  });
});

describe('a key', () => {
  const request = { key: 'k', fields: ann };

  test.each([['answer lost'], ['not sent'], ['conflict', 'answer lost']] as Fault[][])(
    'creates one user under faults: %s %s',
    async (...list) => {
      const service = await createTestService({ sleep: async () => {} });
      injectFaults(service.dynamo, 'TransactWriteItemsCommand', list.filter(Boolean));
      const first = await service.users.createOnce(request);
      const second = await service.users.createOnce(request);
      expect(second).toEqual(first);
      expect((await everything(service)).users).toHaveLength(1);
      expect(await countedCells(service)).toEqual({ 'active/DE': 1 });
    },
  );

  test('stands for its request for a day', async () => {
    let now = 1_790_000_000_000;
    const service = await createTestService({ now: () => now });
    const first = await service.users.createOnce(request);
    now += 24 * 60 * 60 * 1_000 - 1_000;
    expect(await service.users.createOnce(request)).toEqual(first);
    await expect(service.users.createOnce({ ...request, fields: { name: 'Bea' } })).rejects.toMatchObject({
      status: 422,
    });
    now += 2_000;
    const second = await service.users.createOnce({ ...request, fields: { name: 'Bea' } });
    expect(second.id).not.toBe(first.id);
  });

  test('draws another id when one is taken', async () => {
    const runtime = { now: () => 1_790_000_000_000, random: () => 0.5 };
    const { users, tables } = await createTestService(runtime);
    const { id } = await users.create(ann);
    const other = await createTestService(runtime, tables);
    expect((await other.users.createOnce(request)).id).toBe(id + 1);
  });
});

describe('under faults', () => {
  const faults: Fault[][] = [
    ['not sent'],
    ['answer lost'],
    ['answer lost', 'answer lost'],
    ['conflict', 'conflict', 'conflict'],
    ['conflict', 'not sent', 'conflict', 'answer lost'],
    ['throttled', 'not sent'],
  ];

  test.each(faults.map((list) => [list.join(', '), list] as const))(
    '%s: a create happens exactly once',
    async (_, list) => {
      const service = await createTestService({ sleep: async () => {} });
      injectFaults(service.dynamo, 'TransactWriteItemsCommand', [...list]);
      const { id } = await service.users.create(ann);
      expect((await everything(service)).users.map((user) => user.id)).toEqual([id]);
      expect(await countedCells(service)).toEqual({ 'active/DE': 1 });
    },
  );

  test.each(faults.map((list) => [list.join(', '), list] as const))(
    '%s: an update and a delete happen exactly once',
    async (_, list) => {
      const service = await createTestService({ sleep: async () => {} });
      const { id } = await service.users.create(ann);
      injectFaults(service.dynamo, 'TransactWriteItemsCommand', [...list]);
      const updated = await service.users.update(id, (current) => ({ ...current, age: (current.age ?? 0) + 1 }));
      expect(updated).toMatchObject({ age: 1, version: 2 });
      injectFaults(service.dynamo, 'TransactWriteItemsCommand', [...list]);
      await service.users.delete(id);
      expect(await countedCells(service)).toEqual({});
    },
  );

  test('conflicts without end are answered 503, and nothing is written', async () => {
    const service = await createTestService({ sleep: async () => {} });
    const { attempts } = injectFaults(service.dynamo, 'TransactWriteItemsCommand', Array(200).fill('conflict'));
    await expect(service.users.create(ann)).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(attempts()).toBe(100);
    expect(await everything(service)).toEqual({ users: [], directory: [] });
  });

  test('a store that never answers is given up after the last attempt', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const dynamo = createDynamo({ endpoint: `http://127.0.0.1:${port}` });
    const users = createUserStore({ dynamo, tables: { users: 'u', directory: 'd' }, runtime: systemRuntime });
    await expect(users.get(1)).rejects.toMatchObject({ status: 503 });
    silent.close();
    silent.closeAllConnections();
  });

  test('a store that cannot be reached is answered 503, without the request that failed', async () => {
    const service = await createTestService();
    injectFaults(service.dynamo, 'GetItemCommand', Array(100).fill('not sent'));
    const error = await service.users.get(1).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 503, message: 'DynamoDB is not available: ECONNRESET: socket hang up' });
    expect(error).not.toHaveProperty('$metadata');
  });
});
