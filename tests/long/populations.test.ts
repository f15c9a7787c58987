import { expect, test } from 'vitest';
import type { UserFields } from '../../lib/users/user.ts';
import { populations } from '../support/populations.ts';
import { askPage } from '../support/questions.ts';
import { serviceOn } from '../support/service.ts';

/** The embedded DynamoDB has the limits of DynamoDB for items, keys and transactions. */
test.each(populations(1))('$name: nothing fails, and pages and totals are exact', async ({ users, keyword, total }) => {
  const service = await serviceOn.embedded();
  const all: UserFields[] = users();
  for (let i = 0; i < all.length; i += 2_000) {
    await service.users.createMany(all.slice(i, i + 2_000));
    expect((await service.fold()).left).toBe(0);
  }
  const { page } = await askPage(service.listing, keyword === undefined ? {} : { keyword });
  expect([page.totalElements, page.content.length]).toEqual([total, 20]);
});
