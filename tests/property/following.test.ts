import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Limits } from '../../lib/users/database.ts';
import type { RaceOptions, RaceReport } from '../support/fake/course.ts';
import { race } from '../support/fake/race.ts';
import { logOfEachTest } from '../support/logs.ts';

/** The long run takes this many times as many courses. */
const TIMES = Number(process.env.TIMES ?? 1);

/** Few users have batches, and deltas of several parts. */
const LOW: Partial<Limits> = { batchEntries: 4, deltaCharacters: 60, deltaKeys: 3, manyUsers: 6 };

const OPTIONS: Omit<RaceOptions, 'seed'> = {
  limits: LOW,
  indexers: 2,
  indexFaultPercent: 0,
  writes: 12,
  reads: 14,
  users: 6,
};

async function races(courses: number, options: Partial<RaceOptions>): Promise<RaceReport> {
  const sums: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const report = await race({ ...OPTIONS, ...options, seed });
      for (const [name, n] of Object.entries(report)) sums[name] = (sums[name] ?? 0) + n;
    }),
    { numRuns: TIMES * courses, endOnFailure: true },
  );
  return sums as RaceReport;
}

// Followers tell of an index that is away.
logOfEachTest();

describe('lists of an index, beside writers, folds and two indexers that freeze and die', () => {
  test.each<[string, Partial<RaceOptions>, courses?: number]>([
    ['calls are late, and some come again', {}],
    [
      'brisk writers and indexers',
      {
        writers: 2,
        writes: 150,
        readers: 4,
        reads: 12,
        pauseMs: 400,
        isBrisk: true,
        limits: { ...LOW, batchEntries: 100 },
      },
    ],
    [
      'a twentieth of all calls fails, before or after it was carried out, or amid its documents',
      { indexFaultPercent: 5 },
    ],
    ['the index is lost', { indexFaultPercent: 2, indexLosses: 2 }],
    // Most of its lists are 503: six courses compared 20 to 126 of them, where others compare some 250.
    ['the head is lost, or the whole directory', { losses: 2, jumps: 2 }, 18],
    ['an hour passes now and then, and deltas are swept', { jumps: 6, writes: 20, indexFaultPercent: 2 }],
    ['the journal gets more parts', { parts: 3, writers: 3 }],
    ['slow indexers', { slow: /indexer/, indexers: 3 }],
  ])('each list is exact, or 503: %s', async (_, options, courses = 6) => {
    const report = await races(courses, options);
    expect(report.exact + report.compared).toBeGreaterThan(20);
    expect(report.crashes).toBeGreaterThan(0);
  });
});
