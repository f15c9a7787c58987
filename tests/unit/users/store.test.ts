import { expect, test } from 'vitest';
import { createUserStore } from '../../../lib/users/store.ts';
import { serviceOn } from '../../support/service.ts';

const HOUR_MS = 3_600_000;

test('a create draws another id when one is taken, and leaves its user as it is', async () => {
  const { users, database } = serviceOn.memory({ clock: { random: () => 0.5 } });
  const { id } = await users.create({ name: 'Ann' });
  // This one draws the same ids.
  const other = createUserStore(database);
  expect((await other.create({ name: 'Bea' })).id).toBe(id + 1);
  expect(await users.get(id)).toEqual({ id, version: 1, name: 'Ann' });
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
  expect(await users.get(id)).toEqual({ id, version: 3, name: 'Ann', age: 7, status: 'active' });
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
  expect(second).toEqual({ id: other.id + 1, version: 1, name: 'Ann' });
  expect(store.itemsOf('users').map(({ id }) => id)).toEqual([first.id, other.id, second.id]);
});
