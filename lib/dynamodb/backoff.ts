export interface Delays {
  base: number;
  longest: number;
}

/** Somebody else writes the same item at this moment, and is done in some milliseconds. */
const CONFLICT_DELAYS: Delays = { base: 10, longest: 400 };

/** A connection broke, or a server failed: another one may do. */
export const FAILURE_DELAYS: Delays = { base: 50, longest: 1_000 };

/** Capacity comes back within seconds. */
export const THROTTLING_DELAYS: Delays = { base: 500, longest: 1_000 };

/** Full jitter, in milliseconds: "Exponential Backoff And Jitter", AWS Architecture Blog. */
export const backoff = (tries: number, random: () => number, { base, longest } = CONFLICT_DELAYS): number =>
  random() * Math.min(longest, base * 2 ** tries);
