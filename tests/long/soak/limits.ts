import { growthOf, type Limit } from './growth.ts';
import type { Sample } from './samples.ts';

/** The names appear in the printed table. */
const LIMITS: Record<keyof Sample, Limit & { name: string }> = {
  heap: { name: 'heap after a collection, MB', factor: 1.05, slack: 1 },
  resident: { name: 'resident memory, MB', factor: 1.2, slack: 0 },
  sockets: { name: 'open sockets', factor: 1, slack: 4 },
  journal: { name: 'longest journal in 10 s, entries', factor: 1.5, slack: 20 },
  items: { name: 'items in the tables, without changes', factor: 1, slack: 100 },
};

/** A table row for each measure, and what has grown too much. */
export function judge(samples: readonly Sample[]): { rows: string[][]; failures: string[] } {
  const failures: string[] = [];
  const keys = Object.keys(LIMITS) as (keyof Sample)[];
  const rows = keys.map((key) => {
    const { name, factor, slack } = LIMITS[key];
    const growth = growthOf(
      samples.map((sample) => sample[key]),
      LIMITS[key],
    );
    const [first, last] = [growth.first.toFixed(1), growth.last.toFixed(1)];
    if (growth.isTooMuch) failures.push(`${name}: has grown from ${first} to ${last}`);
    return [name, first, last, `${factor} × + ${slack}`];
  });
  return { rows, failures };
}
