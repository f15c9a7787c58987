import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RaceOptions, type RaceReport, race } from '../support/fake/race.ts';
import { FakeStore, TABLES } from '../support/fake/store.ts';

/** The long run takes this many times as many courses. */
const TIMES = Number(process.env.TIMES ?? 1);

const SMALL_PAGES = { pageBytes: 120, batchEntries: 4 };
const SMALL_ALL = {
  ...SMALL_PAGES,
  segmentUsers: 3,
  segmentsPerSum: 3,
  fewSegments: 3,
  nearUsers: 2,
  walkPromise: 0.001,
};

async function races(courses: number, options: Omit<RaceOptions, 'seed'>): Promise<Omit<RaceReport, 'plans'>> {
  const sums = { exact: 0, during: 0, compared: 0, unavailable: 0, crashes: 0, recounts: 0 };
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const { plans: _, ...report } = await race({ ...options, seed });
      for (const [name, n] of Object.entries(report)) sums[name as keyof typeof sums] += n;
    }),
    { numRuns: TIMES * courses, endOnFailure: true },
  );
  return sums;
}

describe('writers, readers and folds that take turns by chance, freeze and die', () => {
  test.each<[string, Omit<RaceOptions, 'seed'>]>([
    ['pages split all the time', { sizes: SMALL_PAGES }],
    ['lists are cut all the time', { sizes: SMALL_ALL }],
    ['four folds share the work', { sizes: SMALL_PAGES, folds: 4, writers: 1 }],
    ['many write', { sizes: SMALL_PAGES, writers: 4, readers: 1, itemsPerPage: 4 }],
  ])(
    'every list is exact and current: %s',
    async (_, options) => {
      const { exact, crashes, recounts } = await races(30, options);
      // Which courses there are is chance: far fewer would mean that little was asked.
      expect(exact).toBeGreaterThan(100);
      expect(crashes).toBeGreaterThan(5);
      expect(recounts).toBeGreaterThan(100);
    },
    TIMES * 900_000,
  );

  test.each<[string, number, Omit<RaceOptions, 'seed'>]>([
    ['of one list', 2, { sizes: SMALL_PAGES }],
    ['of lists that are cut', 2, { sizes: SMALL_ALL }],
    ['of queries in many pages', 2, { sizes: SMALL_PAGES, itemsPerPage: 2 }],
    // Entries are folded meanwhile that the indexes have only just got.
    ['of late indexes', 1_800, { sizes: SMALL_ALL }],
  ])(
    'an answer beside writers has the content, the total and the tag of one state: %s',
    async (_, lagMs, options) => {
      const { compared } = await races(10, {
        ...options,
        writers: 3,
        writes: 40,
        readers: 3,
        pauseMs: 300,
        lagMs,
        isBrisk: true,
      });
      expect(compared).toBeGreaterThan(40);
    },
    TIMES * 900_000,
  );

  test(
    'nothing fails, and totals and tags are exact, while indexes are later than entries are kept',
    async () => {
      const { exact } = await races(30, { sizes: SMALL_PAGES, lagMs: 20_000 });
      // Which courses there are is chance: far fewer would mean that little was asked.
      expect(exact).toBeGreaterThan(100);
    },
    TIMES * 900_000,
  );
});

describe('the store that stands for DynamoDB', () => {
  test('gives what an index knew some time ago', async () => {
    let now = 0;
    const store = new FakeStore({ now: () => now, lag: () => 100 });
    const key = { id: 7, v: 1, f: {}, k: 'user' };
    store.tables[TABLES.users]?.put(key);
    store.indexes.follow(undefined, key);
    const known = () => {
      store.indexes.arrive();
      return store.indexes.rows.get('byId')?.partition('user').values();
    };
    expect(known()).toEqual([]);
    now = 100;
    expect(known()).toEqual([{ id: 7, v: 1, f: {}, k: 'user' }]);
  });
});
