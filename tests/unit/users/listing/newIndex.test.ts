import { expect, test } from 'vitest';
import { verify } from '../../../../lib/users/rebuild/verify.ts';
import { usersOf } from '../../../support/fake/steps.ts';
import type { ModelQuery } from '../../../support/model.ts';
import { expectPages } from '../../../support/questions.ts';
import { serviceOn } from '../../../support/service.ts';

/** A stage whose statistics were built before there was an index by age. */
async function withoutAges() {
  const service = serviceOn.memory({ sizes: { segmentUsers: 6, sumUsers: 20, nearUsers: 2, nodeBytes: 300 } });
  const { store, users, fold } = service;
  const person = (i: number) => ({ name: `n${i}`, lastName: i % 2 ? 'ab' : 'жж', status: i % 3 ? 'on' : 'off' });
  await users.createMany(Array.from({ length: 120 }, (_, i) => ({ ...person(i), age: i < 60 ? 8 : (i * 7) % 40 })));
  await fold();
  const directory = store.tables.directory;
  const head = store.itemsOf('directory').find(({ sk }) => sk === '#head') ?? {};
  const indexes = String(head.segmented).split(',');
  directory?.put({ ...head, segmented: indexes.filter((short) => short !== 'a').join() });
  for (const { pk, sk } of store.itemsOf('directory'))
    if (/:(segments|sums):byAge$/.test(String(pk))) directory?.delete({ pk, sk });
  // These users are counted only in the other lists.
  await users.createMany(Array.from({ length: 20 }, (_, i) => ({ name: `m${i}`, age: i })));
  await fold();
  return service;
}

const BY_AGE: Partial<ModelQuery> = { sort: [{ property: 'age', direction: 'asc' }] };
const BACKWARDS: Partial<ModelQuery> = { sort: [{ property: 'age', direction: 'desc' }] };

test('pages of a list whose index is newer than the statistics are right', async () => {
  const { listing, store } = await withoutAges();
  const questions: Partial<ModelQuery>[] = [
    ...[BY_AGE, BACKWARDS, { ...BY_AGE, status: 'on' }, { ...BY_AGE, keyword: 'ab' }, { 'age.gte': 7 }],
    ...[
      { ...BY_AGE, 'age.gte': 7, 'age.lt': 31 },
      { ...BY_AGE, 'age.gte': 7, 'name.startsWith': 'n1' },
    ],
  ];
  for (const asked of questions) await expectPages(listing, usersOf(store), asked, [10]);
});

test('a list whose index is newer than the statistics gets its segments when the statistics are built again', async () => {
  const { database, mapsLike } = await withoutAges();
  const maps = () => mapsLike('g').filter((map) => map.endsWith(':byAge'));
  expect([maps(), (await verify(database)).wrongLists]).toEqual([[], 1]);
  expect((await verify(database, { repair: true, keepOldMs: 0 })).repaired).toBe(true);
  expect([maps().length, (await verify(database)).wrongLists]).toEqual([2, 0]);
});
