import { expect, test } from 'vitest';
import { totalOrder } from '../../../lib/users/listing/order.ts';
import type { ModelQuery } from '../../support/model.ts';
import { askNames } from '../../support/questions.ts';
import { serviceOn } from '../../support/service.ts';

test('users with an empty first or last name are folded, and come first in the order of that name', async () => {
  const service = await serviceOn.embedded({ sizes: { segmentUsers: 3, nearUsers: 1 } });
  const fields = Array.from({ length: 12 }, (_, n) => ({
    name: `User ${n}`,
    firstName: n < 8 ? '' : 'Ann',
    lastName: '',
  }));
  await service.users.createMany(fields.slice(0, 10));
  expect(await service.fold()).toMatchObject({ folded: 10, left: 0 });
  await service.users.createMany(fields.slice(10));
  await service.users.createMany([{ name: 'Late', firstName: '' }]);
  expect(await service.fold()).toMatchObject({ folded: 3, left: 0 });
  const asked: Partial<ModelQuery> = { sort: [{ property: 'firstName', direction: 'asc' }], page: 2, size: 4 };
  expect(await askNames(service.listing, asked)).toEqual({
    total: 13,
    names: ['Late', 'User 8', 'User 9', 'User 10'],
  });
});

test('a page in the middle of the users with an empty status is found', async () => {
  const { users, listing, fold } = await serviceOn.embedded();
  const fields = Array.from({ length: 300 }, (_, n) => ({ name: 'a', status: n % 3 === 0 ? 'on' : '' }));
  const created = await users.createMany(fields);
  await fold();
  const ids = created.filter(({ status }) => status === '').map(({ id }) => id);
  for (const number of [3, 5, 9]) {
    const asked = { filters: { status: '' }, keyword: undefined, order: totalOrder([]), number, size: 20 };
    const page = await listing.page(asked);
    expect(page.users?.map(({ id }) => id)).toEqual(ids.slice(number * 20, number * 20 + 20));
    expect(page).toMatchObject({ total: 200 });
  }
});
