import { expect, test } from 'vitest';
import { loadUsers } from '../../../../lib/users/rebuild/load.ts';
import { verify } from '../../../../lib/users/rebuild/verify.ts';
import { represent, type UserFields } from '../../../../lib/users/user.ts';
import { type ModelQuery, type ModelUser, modelPage } from '../../../support/model.ts';
import { askPage, expectPages, NOTHING_WRONG } from '../../../support/questions.ts';
import { serviceOn } from '../../../support/service.ts';

const SIZE = 7;
const STATUSES = ['active', 'inactive', undefined];

/** Numbers without a pattern, which are the same in every run. */
const scatter = (n: number): number => Math.imul(n + 1, 0x9e3779b1) >>> 0;

const at = <Value>(values: readonly Value[], n: number): Value => values[n % values.length] as Value;

/** Users whose names have the same script are neighbours in an order by a name, and not by id or e-mail. */
function person(n: number): UserFields {
  const random = scatter(n);
  const letter = at(['m', 'm', 'ж', 'ж', '鈴', 'mж'], random);
  const status = at(STATUSES, random >>> 3);
  return {
    name: `${letter} ${random % 50}`,
    ...(random % 7 > 0 && { firstName: `${letter}${random % 9}` }),
    ...(random % 11 > 0 && { email: `${random % 100}@example.com` }),
    ...(random % 5 > 0 && { lastName: `${letter}-${random % 40}${random % 13 === 0 ? 'z' : ''}` }),
    ...(status && { status }),
  };
}

const BY_STATUS = { property: 'status', direction: 'desc' } as const;

const QUERIES = ['z', 'ж', '鈴', 'mж'].flatMap((keyword) =>
  (['name', 'email', 'lastName'] as const).flatMap((property) =>
    (['asc', 'desc'] as const).flatMap((direction) => [
      { keyword, sort: [{ property, direction }], size: SIZE },
      // All matching users have the same status, so it does not sort them.
      { keyword, sort: [BY_STATUS, { property, direction }], status: 'active', size: SIZE },
    ]),
  ),
);

test('a search among names of several scripts equals the model, before and after folds, and after last names change their scripts', async () => {
  const service = serviceOn.memory({ sizes: { segmentUsers: 8, sumUsers: 40 } });
  const given = Array.from({ length: 160 }, (_, n) => person(n));
  const users = (await service.users.createMany(given)).map(represent) as ModelUser[];
  async function compare(when: string): Promise<void> {
    for (const query of QUERIES) {
      for (const number of [0, 2]) {
        const asked = { ...query, page: number } as ModelQuery;
        const { page } = await askPage(service.listing, asked);
        expect({ when, asked, page }).toEqual({ when, asked, page: modelPage(users, asked) });
      }
    }
  }
  await compare('before a fold');
  await service.fold();
  await compare('after a fold');
  for (const [i, user] of users.slice(0, 60).entries()) {
    const lastName = person(i + 1).lastName ?? 'ж';
    users[i] = represent(await service.users.update(user.id, (now) => ({ ...now, lastName }))) as ModelUser;
  }
  await compare('with other last names');
  await service.fold();
  await compare('after the next fold');
  // This counts all segments again.
  expect(await verify(service)).toMatchObject(NOTHING_WRONG);
});

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

test('a search by first name, then by last name, counts last names only within one first name', async () => {
  const small = serviceOn.memory({ sizes: { nearUsers: 2, walkPatience: 0.001 } });
  const given: UserFields[] = Array.from({ length: 40 }, (_, n) => ({
    name: `n${n}`,
    lastName: `${String.fromCharCode(97 + (scatter(n) % 26))}b`,
    ...(n % 3 > 0 && { firstName: n % 2 === 0 ? 'Ann' : 'Bea' }),
  }));
  const created = (await small.users.createMany(given)).map(represent) as ModelUser[];
  const asked: Partial<ModelQuery> = {
    keyword: 'b',
    sort: [
      { property: 'firstName', direction: 'desc' },
      { property: 'lastName', direction: 'asc' },
    ],
  };
  await expectPages(small.listing, created, asked, [3]);
});

test('a search for one status, by status, then by last name, is in the order of last names', async () => {
  const small = serviceOn.memory({ sizes: { nearUsers: 2, walkPatience: 0.001 } });
  const given: UserFields[] = Array.from({ length: 40 }, (_, n) => ({
    name: `n${n}`,
    lastName: `${String.fromCharCode(97 + (scatter(n) % 26))}${n % 2 === 0 ? 'b' : 'c'}`,
    status: n % 3 === 0 ? 'active' : 'locked',
  }));
  const created = (await small.users.createMany(given)).map(represent) as ModelUser[];
  await small.fold();
  const sort: ModelQuery['sort'] = [BY_STATUS, { property: 'lastName', direction: 'asc' }];
  await expectPages(small.listing, created, { status: 'active', keyword: 'b', sort }, [3]);
});
