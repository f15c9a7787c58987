import { expect, test } from 'vitest';
import type { UserPage } from '../../lib/users/listing/listing.ts';
import { totalOrder } from '../../lib/users/listing/order.ts';
import { loadUsers } from '../../lib/users/rebuild/load.ts';
import { createTestService } from '../support/store.ts';

const USERS = 1_400;

/** Users of 2 KB, so that DynamoDB cuts a read after about 500 of them. */
const long = '𝒳'.repeat(190);
const group = '𝒳'.repeat(64);

test('a deep page begins at the right user even if a read before it is cut at 1 MB', async () => {
  const service = await createTestService();
  const people = Array.from({ length: USERS }, (_, n) => ({
    name: `${long}${n}`,
    firstName: long,
    status: group,
    country: group,
  }));
  await loadUsers(service, people.values(), { users: USERS });
  const { listing } = service;
  const order = totalOrder([]);
  const ids: number[] = [];
  for (let number = 0; number < USERS / 100; number++) {
    const page = (await listing.page({ filters: {}, keyword: undefined, order, number, size: 100 })) as UserPage;
    expect(page.total).toBe(USERS);
    ids.push(...page.users.map(({ id }) => id));
  }
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  expect(ids).toHaveLength(USERS);
});
