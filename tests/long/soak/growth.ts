/** The share of samples at the start that is ignored, while caches fill and the compiler runs. */
const WARM_UP = 0.2;

export interface Limit {
  /** The allowed ratio of the last median to the first. */
  factor: number;
  /** Added to the allowed value: small numbers vary by chance. */
  slack: number;
}

export interface Growth {
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
