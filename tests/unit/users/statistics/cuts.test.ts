import { describe, expect, test } from 'vitest';
import { createFold } from '../../../../lib/users/journal/fold.ts';
import { createUserListing, type UserPage } from '../../../../lib/users/listing/listing.ts';
import { totalOrder } from '../../../../lib/users/listing/order.ts';
import { SIZES } from '../../../../lib/users/sizes.ts';
import { FIRST_BOUND, readEntries, readPages, WHOLE_MAP } from '../../../../lib/users/statistics/pages.ts';
import { compareCodePoints } from '../../../../lib/users/text.ts';
import type { UserFields } from '../../../../lib/users/user.ts';
import { checkCounts } from '../../../support/fake/race.ts';
import { AT_ONCE, isTransaction, setUp } from '../../../support/fake/setUp.ts';

describe('a segment within a run', () => {
  test('is cut between its own bounds, so that ranks stay right at once', async () => {
    const { database, users, fold } = setUp({ segmentUsers: 4, fewSegments: 100, nearUsers: 1, neighbourUsers: 1 });
    await users.createMany(Array.from({ length: 30 }, (_, i) => ({ name: `n${i}` })));
    const middle = await users.createMany(Array.from({ length: 6 }, () => ({ name: 'x' })));
    await users.createMany(Array.from({ length: 40 }, () => ({ name: 'run' })));
    await fold();
    // Their ids are lower than those of the run, so they come to its first segment.
    for (const { id } of middle) await users.update(id, () => ({ name: 'run' }));
    await fold();
    for (const map of ['segments1:byName:user', 'segments1:byId:user']) {
      const keys = (await readEntries(database, map, FIRST_BOUND, undefined)).map(({ key }) => key);
      expect(keys).toEqual([...new Set(keys)].toSorted(compareCodePoints));
    }
    const listing = createUserListing(database);
    const pages: number[] = [];
    for (let number = 0; number < 38; number++) {
      const query = { filters: {}, keyword: undefined, order: totalOrder([{ property: 'name', direction: 'asc' }]) };
      const page = (await listing.page({ ...query, number, size: 2 })) as UserPage;
      pages.push(...page.users.map(({ id }) => id));
    }
    expect(pages.slice(30)).toEqual(pages.slice(30).toSorted((a, b) => a - b));
    expect(new Set(pages).size).toBe(76);
  });
});

describe('an index that is later than the fold', () => {
  const SMALL = { segmentUsers: 4, segmentsPerSum: 3, fewSegments: 3, nearUsers: 1 };
  const people = (count: number): UserFields[] => Array.from({ length: count }, (_, i) => ({ name: `n${i}` }));

  test('does not lead to segments: as many users, but another', async () => {
    const { users, fold, setLag, pass, mapsLike } = setUp(SMALL);
    const [first] = await users.createMany(people(4));
    await fold();
    await users.createMany(people(2));
    pass(10);
    setLag(5_000);
    await users.delete(first?.id ?? 0);
    await users.createMany(people(1));
    await fold();
    expect(mapsLike('segments1:byName')).toEqual([]);
    pass(5_001);
    setLag(0);
    await users.createMany(people(1));
    await fold();
    expect(mapsLike('segments1:byName')).toEqual(['segments1:byName:user']);
  });

  test('does not lead to segments: as many users, one of them as it was before', async () => {
    const { users, fold, setLag, pass, mapsLike } = setUp(SMALL);
    const created = await users.createMany(people(7));
    pass(10);
    setLag(5_000);
    await users.update(created[3]?.id ?? 0, () => ({ name: 'zz' }));
    await fold();
    expect(mapsLike('segments1:byName')).toEqual([]);
  });

  test('does not lead to a segment that is cut where a user was', async () => {
    const { database, users, fold, setLag, pass } = setUp(SMALL);
    const created = await users.createMany(people(6));
    await fold();
    const keysOf = async () =>
      (await readEntries(database, 'segments1:byName:user', FIRST_BOUND, undefined)).map(({ key }) => key.slice(0, 2));
    const before = await keysOf();
    expect(before.length).toBeGreaterThan(1);
    // They come to the index at once, and one of them is renamed, which the index learns later.
    const [renamed] = await users.createMany(Array.from({ length: 6 }, (_, i) => ({ name: `n0${i}` })));
    pass(10);
    setLag(5_000);
    await users.update(renamed?.id ?? created[0]?.id ?? 0, () => ({ name: 'n03x' }));
    await fold();
    expect(await keysOf()).toEqual(before);
    pass(5_001);
    setLag(0);
    await users.createMany([{ name: 'n00' }]);
    await fold();
    expect((await keysOf()).length).toBeGreaterThan(before.length);
  });

  test('does not lead to a segment that counts the script that a last name had', async () => {
    const { database, users, fold, setLag, pass } = setUp(SMALL);
    await users.createMany(people(6));
    await fold();
    const entries = () => readEntries(database, 'segments1:byName:user', FIRST_BOUND, undefined);
    const before = (await entries()).length;
    const [changed] = await users.createMany(Array.from({ length: 6 }, (_, i) => ({ name: `n0${i}`, lastName: 'a' })));
    pass(10);
    setLag(5_000);
    await users.update(changed?.id ?? 0, (now) => ({ ...now, lastName: 'ж' }));
    await fold();
    const scripts = async (script: string) =>
      (await entries()).reduce((sum, { counts }) => sum + (counts.get(`in ${script}`) ?? 0), 0);
    expect([(await entries()).length, await scripts('latin'), await scripts('cyrillic')]).toEqual([before, 5, 1]);
    pass(5_001);
    setLag(0);
    await users.createMany([{ name: 'n00' }]);
    await fold();
    expect((await entries()).length).toBeGreaterThan(before);
    expect([await scripts('latin'), await scripts('cyrillic')]).toEqual([5, 1]);
  });
});

describe('a list that grows', () => {
  const TINY = { pageBytes: 60, segmentUsers: 4, segmentsPerSum: 3, fewSegments: 3, nearUsers: 1 };
  const person = (i: number): UserFields => ({ name: `n${String(i).padStart(2, '0')}` });
  const people = (count: number): UserFields[] => Array.from({ length: count }, (_, i) => person((i * 37) % 100));
  const sumOfCounts = (entries: readonly { counts: ReadonlyMap<string, number> }[]) =>
    entries.reduce((sum, { counts }) => sum + (counts.get('n') ?? 0), 0);

  test('has level 2 of segments when it has more segments than one sum adds up', async () => {
    const { store, database, users, fold, mapsLike } = setUp(TINY);
    const read = (level: 1 | 2) => readEntries(database, `segments${level}:byName:user`, FIRST_BOUND, undefined);
    const first: Record<number, number> = {};
    for (const fields of people(40)) {
      await users.create(fields);
      await fold();
      checkCounts(store);
      if (mapsLike('segments2:byName').length > 0) first[(await read(1)).length] ??= (await read(2)).length;
    }
    expect(Math.min(...Object.keys(first).map(Number))).toBe(4);
    expect(first[4]).toBe(2);
    expect(sumOfCounts(await read(1))).toBe(40);
    expect(sumOfCounts(await read(2))).toBe(40);
  });

  test('is cut by the next fold if another fold was faster', async () => {
    const { store, users, databaseOf, fold, mapsLike } = setUp({ ...TINY, pageBytes: SIZES.pageBytes });
    await users.createMany(people(6));
    const head = () => store.itemsOf('directory').find(({ sk }) => sk === '#head');
    const disturbed = databaseOf((call, execute) => {
      const isCut = isTransaction(call) && head()?.batch === undefined;
      if (isCut) store.tables.directory?.put({ ...head(), epoch: Number(head()?.epoch) + 1 });
      return execute();
    });
    await createFold(disturbed, AT_ONCE).run(1_000);
    expect(mapsLike('segment')).toEqual([]);
    await users.createMany([person(90)]);
    await fold();
    expect(mapsLike('segments1:byName')).toEqual(['segments1:byName:user']);
    checkCounts(store);
  });

  test('is read without the segments that a repair has deleted', async () => {
    const { store, database, users, fold } = setUp(TINY);
    await users.createMany(people(60));
    await fold();
    await users.createMany([person(60)]);
    await fold();
    const pages = await readPages(database, 'segments1:byName:user', WHOLE_MAP);
    expect(pages.length).toBeGreaterThan(3);
    const listing = createUserListing(database);
    const query = { filters: {}, keyword: undefined, order: totalOrder([{ property: 'name', direction: 'asc' }]) };
    const namesOf = async (number: number) =>
      ((await listing.page({ ...query, number, size: 5 })) as UserPage).users.map(({ name }) => name);
    const numbers = Array.from({ length: 13 }, (_, number) => number);
    const before = await Promise.all(numbers.map(namesOf));
    expect(before.flat()).toEqual(before.flat().toSorted());
    for (const { pk, sk } of pages) {
      store.tables.directory?.delete({ pk, sk });
      expect(await Promise.all(numbers.map(namesOf))).toEqual(before);
    }
  });
});
