import { expect, test } from 'vitest';
import { verify } from '../../../../lib/users/rebuild/verify.ts';
import type { UserFields } from '../../../../lib/users/user.ts';
import { totalOf } from '../../../support/fake/steps.ts';
import { serviceOn } from '../../../support/service.ts';

const NOBODY_READS = { keepOldMs: 0 };

test('a generation that is built has the same counts where one name has hundreds of statuses and countries', async () => {
  const { database, users, fold } = serviceOn.memory({ sizes: { nodeBytes: 300 } });
  const people = Array.from(
    { length: 400 },
    (_, i): UserFields => ({ name: 'Ann', lastName: 'Abab', status: `s${i % 37}`, country: `C${i % 41}` }),
  );
  await users.createMany(people);
  await fold();
  expect(await totalOf(database, 'ab')).toBe(400);
  expect((await verify(database, { always: true, ...NOBODY_READS })).repaired).toBe(true);
  expect([await totalOf(database, 'a'), await totalOf(database, 'ab'), await totalOf(database, 'bab')]).toEqual([
    400, 400, 400,
  ]);
  const { wrongTotal, wrongMaps, wrongLists } = await verify(database);
  expect({ wrongTotal, wrongMaps, wrongLists }).toEqual({ wrongTotal: false, wrongMaps: 0, wrongLists: 0 });
  await users.createMany(people.slice(0, 10));
  await fold();
  expect(await totalOf(database, 'bab')).toBe(410);
  expect((await verify(database)).wrongMaps).toBe(0);
});
