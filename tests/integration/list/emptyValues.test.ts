import { describe, expect, test } from 'vitest';
import { EXACT_FIELDS, ORDERED_FIELDS } from '../../../lib/users/fields.ts';
import { totalOrder } from '../../../lib/users/listing/order.ts';
import { verify } from '../../../lib/users/rebuild/verify.ts';
import { represent } from '../../../lib/users/user.ts';
import type { ModelQuery, ModelUser } from '../../support/model.ts';
import { askNames, expectPages } from '../../support/questions.ts';
import { serviceOn } from '../../support/service.ts';
import { only } from '../../support/tinySizes.ts';

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
  const { users, listing, fold } = serviceOn.memory();
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

test.each(['firstName', 'lastName'] as const)(
  'a country has all users with an empty %s, in its order and with a status',
  async (field) => {
    const { users, listing, fold, database } = serviceOn.memory({ sizes: only('slice') });
    const all: ModelUser[] = [];
    for (let n = 0; n < 24; n++) {
      const fields = { name: `User ${n}`, [field]: '', country: 'DE', status: n % 3 === 0 ? 'off' : 'on' };
      all.push(represent(await users.create(fields)) as ModelUser);
      await fold();
    }
    const sort: ModelQuery['sort'] = [{ property: field, direction: 'asc' }];
    for (const status of [undefined, 'on', 'off']) {
      await expectPages(listing, all, { country: 'DE', ...(status && { status }), sort }, [4]);
    }
    expect(await verify(database)).toMatchObject({ wrongLists: 0 });
  },
);

describe.each(EXACT_FIELDS)('in an order that begins with %s', (first) => {
  test('every page has the users who lack a value, whatever comes next in the order and whichever plan reads it', async () => {
    for (const plan of ['slice', 'walk', 'gather']) {
      const { users, listing, fold } = serviceOn.memory({ sizes: only(plan, 'groups') });
      const fields = Array.from({ length: 30 }, (_, n) => ({
        name: `User ${n % 5}`,
        ...(n % 3 === 0 && { status: n % 2 === 0 ? 'on' : 'off' }),
        ...(n % 4 === 0 && { country: n % 8 === 0 ? 'DE' : 'AT' }),
        ...(n % 5 > 1 && { lastName: `Lee ${n % 7}`, age: n % 6 }),
      }));
      const all = (await users.createMany(fields.slice(0, 27))).map(represent) as ModelUser[];
      await fold();
      all.push(...((await users.createMany(fields.slice(27))).map(represent) as ModelUser[]));
      for (const property of ['createdAt' as const, ...ORDERED_FIELDS.filter((each) => each !== first)]) {
        for (const direction of ['asc', 'desc'] as const) {
          const sort: ModelQuery['sort'] = [
            { property: first, direction: 'desc' },
            { property, direction },
          ];
          await expectPages(listing, all, { sort }, [4]);
        }
      }
    }
  });
});
