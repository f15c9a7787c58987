import { expect, test } from 'vitest';
import { createUserStore } from '../../../lib/users/store.ts';
import { serviceOn } from '../../support/service.ts';

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
