import { expect, test } from 'vitest';
import type { ModelQuery } from '../support/model.ts';
import { askNames } from '../support/questions.ts';
import { serviceOn } from '../support/service.ts';

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
