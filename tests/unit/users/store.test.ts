import { expect, test } from 'vitest';
import { totalOrder } from '../../../lib/users/order.ts';
import { createUserStore } from '../../../lib/users/store.ts';
import { serviceOn } from '../../support/service.ts';

const HOUR_MS = 3_600_000;

test('a create draws another id when one is taken, and leaves its user as it is', async () => {
  const { users, database } = serviceOn.memory({ clock: { random: () => 0.5 } });
  const { id } = await users.create({ name: 'Ann' });
  // This one draws the same ids.
  const other = createUserStore(database);
  expect((await other.create({ name: 'Bea' })).id).toBe(id + 1);
  expect(await users.get(id)).toEqual({ id, version: 1, name: 'Ann', updatedAt: 1_790_000_000_000 });
});

test('a write is tried again when another writer has changed its user, even if the other write is no longer in the journal', async () => {
  const { users, fold, store, databaseOf } = serviceOn.memory();
  const { id } = await users.create({ name: 'Ann' });
  let writes = 0;
  const slow = databaseOf(async ({ command }, execute) => {
    if (command === 'TransactWriteCommand' && writes++ === 0) {
      await users.update(id, (user) => ({ ...user, age: 7 }));
      await fold();
      expect(store.itemsOf('directory').filter(({ pk, sk }) => pk === 'journal' && sk !== '#head')).toEqual([]);
    }
    return execute();
  });
  await createUserStore(slow).update(id, (user) => ({ ...user, status: 'active' }));
  expect(await users.get(id)).toEqual({
    id,
    version: 3,
    name: 'Ann',
    age: 7,
    status: 'active',
    updatedAt: 1_790_000_000_000,
  });
  expect(writes).toBe(2);
});

test('an idempotency key stands for its request for a day', async () => {
  const { users, pass } = serviceOn.memory();
  const request = { key: 'k', fields: { name: 'Ann' } };
  const other = { key: 'k', fields: { name: 'Bea' } };
  const { user: first, isReplayed } = await users.createOnce(request);
  expect(isReplayed).toBe(false);
  pass(24 * HOUR_MS - 1_000);
  expect(await users.createOnce(request)).toEqual({ user: first, isReplayed: true });
  await expect(users.createOnce(other)).rejects.toMatchObject({ status: 422 });
  pass(2_000);
  expect((await users.createOnce(other)).user.id).not.toBe(first.id);
});

test('an expired idempotency key can be used again, even if the first drawn id is taken', async () => {
  const { database, store, pass } = serviceOn.memory({ clock: { random: () => 0.5 } });
  // Each container draws the same ids.
  const container = () => createUserStore(database);
  const asked = { key: 'k', fields: { name: 'Ann' } };
  const { user: first } = await container().createOnce(asked);
  pass(25 * HOUR_MS);
  const other = await container().create({ name: 'Bea' });
  const { user: second } = await container().createOnce(asked);
  expect(second).toEqual({ id: other.id + 1, version: 1, name: 'Ann', updatedAt: 1_790_090_000_000 });
  expect(store.itemsOf('users').map(({ id }) => id)).toEqual([first.id, other.id, second.id]);
});

test('a write by a clock that is behind is not before the last one', async () => {
  const { users, listing, fold, pass } = serviceOn.memory();
  const { id } = await users.create({ name: 'Ann' });
  await fold();
  const moments: unknown[] = [];
  for (const [i, ms] of [-5, 7, -3, 2].entries()) {
    pass(ms);
    await users.update(id, (user) => ({ ...user, age: i }));
    moments.push((await users.get(id)).updatedAt);
  }
  expect(moments).toEqual([0, 2, 2, 2].map((ms) => 1_790_000_000_000 + ms));
  expect((await listing.page({ filters: {}, order: totalOrder([]), number: 0, size: 1 })).users).toEqual([
    { id, name: 'Ann', age: 3, updatedAt: 1_790_000_000_002 },
  ]);
});

test('the moment of a write that is tried again is that of the last try, as in its entry', async () => {
  const { users, store, processOf, pass } = serviceOn.memory();
  const { id } = await users.create({ name: 'Ann' });
  let tries = 0;
  const { users: slow } = processOf(async ({ input }, execute) => {
    if ('TransactItems' in (input as object) && tries++ === 0) {
      await users.update(id, (user) => ({ ...user, status: 'active' }));
      pass(7);
    }
    return execute();
  });
  const { updatedAt } = await slow.update(id, (user) => ({ ...user, age: 7 }));
  expect([tries, updatedAt]).toEqual([2, 1_790_000_000_007]);
  const [entry] = store.itemsOf('directory').filter(({ at }) => at === updatedAt);
  expect(entry).toMatchObject({ after: 'nAnn\0a\u00017\0sactive\0u7\0', before: 'a\u0001null\0u0\0' });
});
