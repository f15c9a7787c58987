import { expect, test } from 'vitest';
import type { UserPage } from '../../lib/users/listing/listing.ts';
import { totalOrder } from '../../lib/users/listing/order.ts';
import type { UserFields } from '../../lib/users/user.ts';
import { populations } from '../support/populations.ts';
import { serviceOn } from '../support/service.ts';

/** The embedded DynamoDB has the limits of DynamoDB for items, keys and transactions. */
test.each(populations(1))('$name: nothing fails, and pages and totals are exact', async ({ users, keyword, total }) => {
  const service = await serviceOn.embedded();
  const all: UserFields[] = users();
  for (let i = 0; i < all.length; i += 2_000) {
    await service.users.createMany(all.slice(i, i + 2_000));
    expect((await service.fold()).left).toBe(0);
  }
  const query = { filters: {}, keyword, order: totalOrder([]), number: 0, size: 20 };
  const page = (await service.listing.page(query)) as UserPage;
  expect([page.total, page.users.length]).toEqual([total, 20]);
});
