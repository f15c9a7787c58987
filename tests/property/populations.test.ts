import { expect, test } from 'vitest';
import type { UserPage } from '../../lib/users/listing/listing.ts';
import { totalOrder } from '../../lib/users/listing/order.ts';
import { checkCounts } from '../support/fake/counts.ts';
import { populations } from '../support/populations.ts';
import { serviceOn } from '../support/service.ts';

/** The store has the limits of DynamoDB: it throws when something is too large. */
test.each(populations(0.02))(
  'a fiftieth of $name: nothing fails, and pages and totals are exact',
  async ({ users: all, keyword, total }) => {
    const { store, users, fold, listing } = serviceOn.memory();
    await users.createMany(all());
    expect((await fold()).left).toBe(0);
    checkCounts(store);
    const query = { filters: {}, keyword, order: totalOrder([]), number: 0, size: 20 };
    const page = (await listing.page(query)) as UserPage;
    expect([page.total, page.users.length]).toEqual([total, Math.min(20, total)]);
  },
);
