import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Rivals, type RivalsReport } from '../support/fake/rivals.ts';

/** The long run takes this many times as many courses. */
const TIMES = Number(process.env.TIMES ?? 1);

test('a refused write never happens, one that was done happens once, and a 503 at most once, however late attempts of it arrive', async () => {
  const sums: RivalsReport = { done: 0, refused: 0, unknown: 0, spent: 0, late: 0 };
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const report = await new Rivals(seed).run(4, 25);
      for (const name of Object.keys(sums) as (keyof RivalsReport)[]) sums[name] += report[name];
    }),
    { numRuns: 100 * TIMES, endOnFailure: true },
  );
  // Far fewer than usual would mean that too little was asked.
  for (const [name, count] of Object.entries(sums)) expect(count, name).toBeGreaterThan(10);
}, 120_000);
