import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Limits } from '../../lib/users/database.ts';
import type { RaceOptions, RaceReport } from '../support/fake/course.ts';
import { race } from '../support/fake/race.ts';
import { logOfEachTest } from '../support/logs.ts';

/** The long run takes this many times as many courses. */
const TIMES = Number(process.env.TIMES ?? 1);

/** Few users have batches, deltas of several parts, bases of several parts, and merges. */
const LOW: Partial<Limits> = {
  batchEntries: 4,
  deltaCharacters: 60,
  deltaKeys: 3,
  manyUsers: 6,
  partBytes: 300,
  mergeLeast: 5,
  mergeShare: 0.2,
  mergeSteps: 20,
};
const LARGE_BATCHES: Partial<Limits> = { ...LOW, batchEntries: 100 };

type Options = Omit<RaceOptions, 'seed'>;

async function races(courses: number, options: Options): Promise<RaceReport> {
  const sums: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const report = await race({ limits: LOW, ...options, seed });
      for (const [name, n] of Object.entries(report)) sums[name] = (sums[name] ?? 0) + n;
    }),
    { numRuns: TIMES * courses, endOnFailure: true },
  );
  return sums as RaceReport;
}

// Folds tell of merges that fail.
logOfEachTest();

const BRISK: Options = { writers: 3, writes: 24, readers: 3, reads: 12, pauseMs: 300, isBrisk: true };

describe('writers, readers and folds that take turns by chance, freeze and die', () => {
  // The courses are random. Far fewer answers, deaths or bases than usual would mean that too little was asked.
  test.each<[string, Options]>([
    ['two of each', {}],
    ['four folds share the work', { folds: 4, writers: 1 }],
    ['many write', { writers: 4, readers: 1, itemsPerPage: 4 }],
    ['batches are large', { writers: 4, limits: LARGE_BATCHES }],
    [
      'the journal gets more parts',
      { parts: 4, writers: 3, writes: 20, reads: 20, slow: /reader/, limits: LARGE_BATCHES },
    ],
  ])('every list is exact and current: %s', async (_, options) => {
    const report = await races(6, options);
    expect(report.exact).toBeGreaterThan(5);
    expect(report.crashes).toBeGreaterThan(0);
  });

  test.each<[string, Options]>([
    ['small batches', {}],
    ['large batches', { limits: LARGE_BATCHES }],
    ['queries in many pages', { itemsPerPage: 2 }],
    ['many users', { users: 30, itemsPerPage: 5 }],
    ['containers that merge, a slice in each request', { writes: 60, reads: 80, pauseMs: 600 }],
    ['a journal that gets more parts', { parts: 2, limits: LARGE_BATCHES }],
    ['folds that claim late', { itemsPerPage: 2, slow: /fold/, writes: 60, reads: 24 }],
  ])('an answer beside writers has the content, the total and the tag of one state: %s', async (_, options) => {
    const report = await races(2, { ...BRISK, ...options });
    expect(report.compared).toBeGreaterThan(1);
  });

  test.each<[string, Options]>([
    ['processes freeze for an hour', {}],
    ['the head and its table are lost', { losses: 2 }],
    ['users are verified and repaired, and clocks differ', { verifies: 3, skewMs: 45_000 }],
    ['all at once', { losses: 2, verifies: 2, folds: 3 }],
    ['all at once, and the journal gets more parts', { parts: 3, losses: 2, verifies: 2, folds: 3 }],
  ])('every list is exact and current while bases come and go: %s', async (_, options) => {
    const report = await races(20, { jumps: 6, writes: 16, reads: 16, pauseMs: 8_000, ...options });
    expect(report.exact).toBeGreaterThan(5);
    expect(report.bases).toBeGreaterThan(3);
  });

  test('who follows the feed of changes gets each change once, in order, while folds die and users are put in the place of the base', async () => {
    const report = await races(7, {
      ...{ followers: 3, historyDays: 7, verifies: 2, writers: 3, writes: 14, readers: 0, folds: 3, pauseMs: 1_500 },
    });
    expect(report.crashes).toBeGreaterThan(2);
  });

  test('all but walks by cursor is exact while indexes lag for longer than entries are kept', async () => {
    const report = await races(8, { lagMs: 20_000 });
    expect(report.exact).toBeGreaterThan(20);
  });
});
