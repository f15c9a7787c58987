import { expect, test } from 'vitest';
import { systemRuntime } from '../../../lib/runtime.ts';
import { createFold } from '../../../lib/users/fold/fold.ts';
import { SIZES } from '../../../lib/users/sizes.ts';
import { createUserStore } from '../../../lib/users/store.ts';
import { FakeStore, type Line, TABLES } from '../../support/fake/store.ts';

const AT_ONCE = { minimumAgeMs: 0, writtenToDeleteMs: 0, restMs: 0 };

const runtime = { ...systemRuntime, sleep: async () => {} };

test('a write whose user another writer has changed is tried again, even if the journal has forgotten the other write', async () => {
  const store = new FakeStore({ now: () => 1_790_000_000_000 });
  const databaseOf = (around: Line['around']) => ({
    dynamo: store.client({ around, pause: async () => {} }),
    tables: TABLES,
    runtime,
    sizes: SIZES,
  });
  const database = databaseOf((_, execute) => execute());
  const users = createUserStore(database);
  const { id } = await users.create({ name: 'Ann' });
  let writes = 0;
  const slow = databaseOf(async ({ command }, execute) => {
    if (command === 'TransactWriteCommand' && writes++ === 0) {
      await users.update(id, (user) => ({ ...user, age: 7 }));
      await createFold(database, AT_ONCE).run(1_000);
      expect(store.itemsOf('directory').filter(({ pk, sk }) => pk === 'journal' && sk !== '#head')).toEqual([]);
    }
    return execute();
  });
  await createUserStore(slow).update(id, (user) => ({ ...user, status: 'active' }));
  expect(await users.get(id)).toEqual({ id, version: 3, name: 'Ann', age: 7, status: 'active' });
  expect(writes).toBe(2);
});
