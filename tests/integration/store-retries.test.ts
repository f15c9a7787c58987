import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createDynamo } from '../../lib/dynamodb/client.ts';
import { systemRuntime } from '../../lib/runtime.ts';
import { SIZES } from '../../lib/users/sizes.ts';
import { createUserStore } from '../../lib/users/store.ts';
import { type Fault, injectFaults } from '../support/faults.ts';
import { serviceOn } from '../support/service.ts';

import { counted, everything } from '../support/stored.ts';

const ann = { name: 'Ann', lastName: 'Lee', status: 'active', country: 'DE' };

describe('a key', () => {
  const request = { key: 'k', fields: ann };

  test.each([['response lost'], ['not sent'], ['conflict', 'response lost']] as Fault[][])(
    'creates one user under faults: %s %s',
    async (...list) => {
      const service = await serviceOn.embedded({ clock: { sleep: async () => {} } });
      injectFaults(service.dynamo, 'TransactWriteItemsCommand', list.filter(Boolean));
      const first = await service.users.createOnce(request);
      const second = await service.users.createOnce(request);
      expect(second).toEqual(first);
      expect((await everything(service)).users).toHaveLength(1);
      await service.fold();
      expect((await everything(service)).head.total).toBe(1);
    },
  );

  test('stands for its request for a day', async () => {
    let now = 1_790_000_000_000;
    const service = await serviceOn.embedded({ clock: { now: () => now } });
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
    const { users, tables } = await serviceOn.embedded({ clock: runtime });
    const { id } = await users.create(ann);
    const other = await serviceOn.embedded({ clock: runtime, tables });
    expect((await other.users.createOnce(request)).id).toBe(id + 1);
  });
});

describe('under faults', () => {
  const faults: Fault[][] = [
    ['not sent'],
    ['response lost'],
    ['response lost', 'response lost'],
    ['conflict', 'conflict', 'conflict'],
    ['conflict', 'not sent', 'conflict', 'response lost'],
    ['throttled', 'not sent'],
  ];

  test.each(faults.map((list) => [list.join(', '), list] as const))(
    '%s: a create happens exactly once',
    async (_, list) => {
      const service = await serviceOn.embedded({ clock: { sleep: async () => {} } });
      injectFaults(service.dynamo, 'TransactWriteItemsCommand', [...list]);
      const { id } = await service.users.create(ann);
      expect((await everything(service)).users.map((user) => user.id)).toEqual([id]);
      await service.fold();
      expect((await everything(service)).head.total).toBe(1);
    },
  );

  test.each(faults.map((list) => [list.join(', '), list] as const))(
    '%s: an update and a delete happen exactly once',
    async (_, list) => {
      const service = await serviceOn.embedded({ clock: { sleep: async () => {} } });
      const { id } = await service.users.create(ann);
      injectFaults(service.dynamo, 'TransactWriteItemsCommand', [...list]);
      const updated = await service.users.update(id, (current) => ({ ...current, age: (current.age ?? 0) + 1 }));
      expect(updated).toMatchObject({ age: 1, version: 2 });
      injectFaults(service.dynamo, 'TransactWriteItemsCommand', [...list]);
      await service.users.delete(id);
      await service.fold();
      expect(await counted(service)).toEqual({});
      expect((await everything(service)).head.total).toBe(0);
    },
  );

  test('endless conflicts end with 503, and nothing is written', async () => {
    const service = await serviceOn.embedded({ clock: { sleep: async () => {} } });
    const { attempts } = injectFaults(service.dynamo, 'TransactWriteItemsCommand', Array(200).fill('conflict'));
    await expect(service.users.create(ann)).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(attempts()).toBe(100);
    expect(await everything(service)).toMatchObject({ users: [], entries: [] });
  });

  test('a store that never responds gets no more than the last attempt', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const dynamo = createDynamo({ endpoint: `http://127.0.0.1:${port}` });
    const users = createUserStore({
      dynamo,
      tables: { users: 'u', directory: 'd' },
      runtime: systemRuntime,
      sizes: SIZES,
    });
    await expect(users.get(1)).rejects.toMatchObject({ status: 503 });
    silent.close();
    silent.closeAllConnections();
  });

  test('an unreachable store causes a 503 that does not quote the request', async () => {
    const service = await serviceOn.embedded();
    injectFaults(service.dynamo, 'GetItemCommand', Array(100).fill('not sent'));
    const error = await service.users.get(1).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 503, message: 'DynamoDB is not available: ECONNRESET: socket hang up' });
    expect(error).not.toHaveProperty('$metadata');
  });
});
