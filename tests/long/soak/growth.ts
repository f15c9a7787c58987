import type { Sample } from './samples.ts';

/** The share of samples at the start that is ignored, while caches fill and the compiler runs. */
const WARM_UP = 0.2;

interface Limit {
  /** The allowed ratio of the last median to the first. */
  factor: number;
  /** Added to the allowed value: small numbers vary by chance. */
  slack: number;
}

interface Growth {
  first: number;
  last: number;
  isTooMuch: boolean;
}

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
};

/**
 * Compares the medians of the first and the last third of the samples after the warm-up.
 *
 * @throws {Error} when there are fewer than one sample per third
 */
export function growthOf(samples: readonly number[], { factor, slack }: Limit): Growth {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP));
  const third = Math.floor(warm.length / 3);
  if (third < 1) throw new Error(`${samples.length} samples are too few: let it run longer`);
  const [first, last] = [median(warm.slice(0, third)), median(warm.slice(-third))];
  return { first, last, isTooMuch: last > first * factor + slack };
}

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
