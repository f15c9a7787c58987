import { expect, test } from 'vitest';
import { totalOrder } from '../../lib/users/listing/order.ts';
import { createTestService } from '../support/store.ts';

const BY_NAME = totalOrder([{ property: 'name', direction: 'asc' }]);
const page = { filters: {}, keyword: undefined, order: BY_NAME, number: 0, size: 20 };

/** Matching users come last by name. A few come early, so that a walk seems cheap. */
const people = Array.from({ length: 600 }, (_, n) => ({
  name: `${n < 500 ? 'a' : 'z'}${n}`,
  lastName: n < 500 ? 'Lee' : 'Khan',
  status: n < 500 ? 'early' : 'late',
}));

test('a listing whose estimate is above the budget of a page is refused before it is read', async () => {
  const { users, listing } = await createTestService({}, undefined, { budgetUnits: 1 });
  await users.createMany(people);
  await expect(listing.page({ ...page, filters: { status: 'late' } })).rejects.toMatchObject({
    status: 400,
    message:
      'This listing would read about 2 units, and 1 are allowed: narrow it by a filter, sort it by one property, or walk it by cursor',
  });
});

test('a walk that costs more than its estimate ends at the budget of a page', async () => {
  const { users, listing } = await createTestService({}, undefined, { budgetUnits: 4, commonUsers: 50 });
  await users.createMany(people);
  await expect(listing.page({ ...page, keyword: 'k' })).rejects.toMatchObject({
    status: 400,
    message:
      'This listing would read more than the 4 units that are allowed: narrow it by a filter, sort it by one property, or walk it by cursor',
  });
  await expect(listing.page({ ...page, keyword: 'l' })).resolves.toMatchObject({ total: 500 });
});
