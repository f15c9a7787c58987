import { expect, test } from 'vitest';
import { systemRuntime } from '../../../../lib/runtime.ts';
import type { Database } from '../../../../lib/users/database.ts';
import { createFold } from '../../../../lib/users/journal/fold.ts';
import { createUserListing, type UserPage } from '../../../../lib/users/listing/listing.ts';
import { totalOrder } from '../../../../lib/users/listing/order.ts';
import { SIZES } from '../../../../lib/users/sizes.ts';
import { FIRST_BOUND } from '../../../../lib/users/statistics/pages.ts';
import { split } from '../../../../lib/users/statistics/pageWrites.ts';
import { createUserStore } from '../../../../lib/users/store.ts';
import { type Call, FakeStore, TABLES } from '../../../support/fake/store.ts';

const isFloor = ({ input }: Call) => (input as { ScanIndexForward?: boolean }).ScanIndexForward === false;

test('a reader that meets a page half split, and folded meanwhile, sees every count', async () => {
  const store = new FakeStore({ now: Date.now });
  const databaseOf = (around: (call: Call, execute: () => Promise<unknown>) => Promise<unknown>): Database => ({
    dynamo: store.client({ around, pause: async () => {} }),
    tables: TABLES,
    runtime: { ...systemRuntime, sleep: async () => {} },
    sizes: SIZES,
  });
  const database = databaseOf((_, execute) => execute());
  const users = createUserStore(database);
  const atOnce = { minimumAgeMs: 0, writtenToDeleteMs: 0 };
  await users.createMany(['aa', 'ab', 'ac', 'ad'].map((lastName) => ({ name: 'Ann', lastName })));
  await createFold(database, atOnce).run(1_000);
  await users.createMany(['aa', 'ad'].map((lastName) => ({ name: 'Bea', lastName })));

  // Ends after the pages are written, before any entry is deleted.
  const fold = (isDone: (call: Call) => boolean) =>
    new Promise<void>((resolve) => {
      const folding = databaseOf(async (call, execute) => {
        if (!isDone(call)) return execute();
        resolve();
        return new Promise(() => {});
      });
      void createFold(folding, atOnce).run(1_000);
    });
  const half = (call: Call) => call.command === 'PutCommand';
  await fold(half);

  // The journal says that a batch is being folded. The pages behind the first one are read before it is split.
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const reading = databaseOf(async (call, execute) => {
    if (isFloor(call)) await released;
    return execute();
  });
  const page = createUserListing(reading).page({
    filters: {},
    keyword: 'a',
    order: totalOrder([]),
    number: 0,
    size: 20,
  }) as Promise<UserPage>;
  await new Promise((resolve) => setTimeout(resolve, 20));

  const splitting = databaseOf((call, execute) => (call.command === 'PutCommand' ? new Promise(() => {}) : execute()));
  void split({ ...splitting, sizes: { ...SIZES, pageBytes: 20 } }, { pk: 'names:a', sk: FIRST_BOUND });
  await new Promise((resolve) => setTimeout(resolve, 20));
  store.tables.directory?.put({ ...store.tables.directory.get({ pk: 'journal', sk: '#head' }), claimedAt: 0 });
  await fold(({ command }) => command === 'BatchWriteCommand');
  release();

  const { total, users: shown } = await page;
  expect([total, shown.length]).toEqual([6, 6]);
});
