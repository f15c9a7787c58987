import { expect, test } from 'vitest';
import type { Database } from '../../lib/users/database.ts';
import { createFold } from '../../lib/users/fold/fold.ts';
import { createUserListing, type UserPage } from '../../lib/users/listing/listing.ts';
import { totalOrder } from '../../lib/users/listing/order.ts';
import { SIZES } from '../../lib/users/sizes.ts';
import { createUserStore } from '../../lib/users/store.ts';
import { checkCounts } from '../support/fake/counts.ts';
import { FakeStore, TABLES } from '../support/fake/store.ts';
import { populations } from '../support/populations.ts';

/** The store has DynamoDB's bounds: what is too large throws. */
test.each(populations(0.02))(
  'a fiftieth of $name: nothing fails, and pages and totals are exact',
  async (population) => {
    const { users, keyword, total } = population;
    let time = 1_790_000_000_000;
    const store = new FakeStore({ now: () => time });
    const sleep = async (milliseconds: number) => {
      time += milliseconds;
    };
    const runtime = { now: () => time++, monotonic: () => time++, random: () => 0.5, sleep };
    const database: Database = { dynamo: store.client(), tables: TABLES, runtime, sizes: SIZES };
    await createUserStore(database).createMany(users());
    expect((await createFold(database, { restMs: 0 }).run(3_600_000)).left).toBe(0);
    checkCounts(store);
    const query = { filters: {}, keyword, order: totalOrder([]), number: 0, size: 20 };
    const page = (await createUserListing(database).page(query)) as UserPage;
    expect([page.total, page.users.length]).toEqual([total, Math.min(20, total)]);
  },
);
