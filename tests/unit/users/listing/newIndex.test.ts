import { describe, expect, test } from 'vitest';
import { createUserListing } from '../../../../lib/users/listing/listing.ts';
import { verify } from '../../../../lib/users/rebuild/verify.ts';
import { usersOf } from '../../../support/fake/steps.ts';
import { type ModelQuery, modelPage } from '../../../support/model.ts';
import { askPage } from '../../../support/questions.ts';
import { serviceOn } from '../../../support/service.ts';

/** What a stage has whose statistics were built before there was an index by age. */
async function withoutAges() {
  const service = serviceOn.memory({ sizes: { segmentUsers: 6, sumUsers: 20, nearUsers: 2, nodeBytes: 300 } });
  const { store, users, fold } = service;
  await users.createMany(
    Array.from({ length: 120 }, (_, i) => ({
      name: `n${i}`,
      lastName: i % 2 ? 'ab' : 'жж',
      age: (i * 7) % 40,
      status: i % 3 ? 'on' : 'off',
    })),
  );
  await fold();
  const directory = store.tables.directory;
  const head = store.itemsOf('directory').find(({ sk }) => sk === '#head') ?? {};
  const indexes = String(head.segmented)
    .split(',')
    .filter((name) => name !== 'byAge');
  directory?.put({ ...head, segmented: indexes.join() });
  for (const { pk, sk } of store.itemsOf('directory')) {
    if (/:(segments|sums):byAge$/.test(String(pk))) directory?.delete({ pk, sk });
  }
  // They are counted in the other lists only.
  await users.createMany(Array.from({ length: 20 }, (_, i) => ({ name: `m${i}`, age: i })));
  await fold();
  return service;
}

const QUESTIONS: Partial<ModelQuery>[] = [
  { sort: [{ property: 'age', direction: 'asc' }] },
  { sort: [{ property: 'age', direction: 'desc' }] },
  {
    sort: [
      { property: 'age', direction: 'asc' },
      { property: 'name', direction: 'desc' },
    ],
  },
  { sort: [{ property: 'age', direction: 'asc' }], status: 'on' },
  { sort: [{ property: 'age', direction: 'asc' }], keyword: 'ab' },
  { sort: [{ property: 'name', direction: 'asc' }] },
];

describe('a list whose index is newer than the statistics', () => {
  test.each(QUESTIONS)('has right pages at any depth: %j', async (asked) => {
    const { store, database } = await withoutAges();
    const all = usersOf(store);
    const listing = createUserListing(database);
    for (let page = 0; page < 15; page++) {
      const query: ModelQuery = { sort: [], ...asked, page, size: 10 };
      expect((await askPage(listing, query)).page, `page ${page}`).toEqual(modelPage(all, query));
    }
  });

  test('gets its segments when the statistics are built again', async () => {
    const { database, mapsLike } = await withoutAges();
    expect(mapsLike('g').some((map) => map.endsWith(':byAge'))).toBe(false);
    expect((await verify(database)).wrongLists).toBe(1);
    expect((await verify(database, { repair: true, keepOldMs: 0 })).repaired).toBe(true);
    expect(mapsLike('g').filter((map) => map.endsWith(':byAge')).length).toBe(2);
    expect((await verify(database)).wrongLists).toBe(0);
  });
});
