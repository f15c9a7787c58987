import { expect, test } from 'vitest';
import { loadUsers } from '../../../../lib/users/rebuild/load.ts';
import type { UserFields } from '../../../../lib/users/user.ts';
import type { ModelQuery } from '../../../support/model.ts';
import { askPage } from '../../../support/questions.ts';
import { serviceOn } from '../../../support/service.ts';

test('a search does not read users whose names are in other scripts', async () => {
  const service = serviceOn.memory();
  const given = Array.from({ length: 3_000 }, (_, n): UserFields => {
    const isLatin = n % 5 === 0;
    return { name: `${isLatin ? 'ö' : n % 2 === 0 ? 'ж' : '鈴'} ${n}`, lastName: isLatin ? `a${n}` : 'ж' };
  });
  await loadUsers(service, given.values(), { users: given.length });
  const asked = { keyword: 'a', sort: [{ property: 'name', direction: 'desc' }], page: 0, size: 20 } as ModelQuery;
  const { page, units } = await askPage(service.listing, asked);
  const matching = given.filter(({ lastName }) => lastName?.startsWith('a'));
  const names = matching
    .map(({ name }) => name)
    .sort()
    .reverse();
  expect(page.content.map(({ name }) => name)).toEqual(names.slice(0, 20));
  // To read the 2,400 users who come first in this order would cost 30 units more.
  expect(units).toBeLessThan(15);
});
