import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Sizes } from '../../lib/users/sizes.ts';
import type { RaceOptions, RaceReport } from '../support/fake/course.ts';
import { race } from '../support/fake/race.ts';
import { only } from '../support/tinySizes.ts';

/** The long run takes this many times as many courses. */
const TIMES = Number(process.env.TIMES ?? 1);

const SMALL_NODES: Partial<Sizes> = { nodeBytes: 120, batchEntries: 4 };
const SMALL_ALL: Partial<Sizes> = {
  ...SMALL_NODES,
  segmentUsers: 3,
  sumUsers: 9,
  countedValues: 3,
  nearUsers: 2,
  risks: { walk: 0.001 },
};
const COUNTING: Partial<Sizes> = { ...SMALL_ALL, risks: only('slice').risks };
const GROUPING: Partial<Sizes> = { ...SMALL_ALL, risks: only('groups').risks };

async function races(courses: number, options: Omit<RaceOptions, 'seed'>): Promise<Partial<RaceReport>> {
  const sums: Partial<RaceReport> = {};
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const report = Object.entries(await race({ ...options, seed })) as [keyof RaceReport, number][];
      for (const [name, n] of report) sums[name] = (sums[name] ?? 0) + n;
    }),
    { numRuns: TIMES * courses, endOnFailure: true },
  );
  return sums;
}

describe('writers, readers and folds that take turns by chance, freeze and die', () => {
  test.each<[string, Omit<RaceOptions, 'seed'>]>([
    ['nodes are split all the time', { sizes: SMALL_NODES }],
    ['segments are split all the time', { sizes: SMALL_ALL }],
    ['segments count statuses', { sizes: COUNTING }],
    ['values are groups', { sizes: GROUPING }],
    ['four folds share the work', { sizes: SMALL_NODES, folds: 4, writers: 1 }],
    ['many write', { sizes: SMALL_NODES, writers: 4, readers: 1, itemsPerPage: 4 }],
  ])('every list is exact and current: %s', async (_, options) => {
    const { exact, crashes } = await races(6, options);
    // The courses are random. Far fewer answers would mean that too little was asked.
    expect(exact).toBeGreaterThan(20);
    expect(crashes).toBeGreaterThan(1);
  });

  test.each<[string, number, Omit<RaceOptions, 'seed'>]>([
    ['of one list', 2, { sizes: SMALL_NODES }],
    ['of small segments', 2, { sizes: SMALL_ALL }],
    ['of segments that count statuses', 2, { sizes: COUNTING }],
    ['of groups', 2, { sizes: GROUPING }],
    ['of queries in many pages', 2, { sizes: SMALL_NODES, itemsPerPage: 2 }],
    // Entries leave the journal when the slowest index has only just caught up.
    ['of late indexes', 1_800, { sizes: SMALL_ALL }],
  ])('an answer beside writers has the content, the total and the tag of one state: %s', async (_, lagMs, options) => {
    const { compared } = await races(2, {
      ...options,
      writers: 3,
      writes: 24,
      readers: 3,
      reads: 12,
      pauseMs: 300,
      lagMs,
      isBrisk: true,
    });
    expect(compared).toBeGreaterThan(4);
  });

  test('a walk by cursor, and a stream in any order, has each user whom nobody writes meanwhile exactly once', async () => {
    const walking = { isWalking: true, users: 30, writers: 2, writes: 30, readers: 2, reads: 4, pauseMs: 500 };
    const { met = 0, touched = 0 } = await races(2, {
      ...walking,
      sizes: SMALL_ALL,
      itemsPerPage: 5,
    });
    expect([met, touched].map((n) => n > 50)).toEqual([true, true]);
  });

  test('every list is exact and current while statistics are built again by two that freeze and die, and clocks differ', async () => {
    const {
      exact,
      compared = 0,
      rebuilt = 0,
      crashes,
    } = await races(6, {
      sizes: SMALL_ALL,
      rebuilds: 2,
      skewMs: 45_000,
      writes: 16,
      reads: 16,
    });
    expect(exact).toBeGreaterThan(40);
    expect(compared + rebuilt).toBeGreaterThan(0);
    expect(crashes).toBeGreaterThan(6);
  });

  test('who follows the feed of changes gets each change once, in order, while folds die and statistics are built again', async () => {
    const { crashes } = await races(7, {
      sizes: SMALL_NODES,
      followers: 3,
      rebuilds: 1,
      writers: 3,
      writes: 14,
      readers: 0,
      folds: 3,
      pauseMs: 1_500,
    });
    expect(crashes).toBeGreaterThan(6);
  });

  test('nothing fails, and totals and tags are exact, while indexes lag for longer than entries are kept', async () => {
    const { exact } = await races(8, { sizes: SMALL_NODES, lagMs: 20_000 });
    // The courses are random. Far fewer answers would mean that too little was asked.
    expect(exact).toBeGreaterThan(65);
  });
});
