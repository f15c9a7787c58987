/** How long to wait before another try, in milliseconds. The pause doubles with each try, up to the longest. */
export interface Delays {
  base: number;
  longest: number;
}

/** Another transaction writes the same item. It takes some milliseconds. */
export const CONFLICT_DELAYS: Delays = { base: 10, longest: 400 };

/** A connection or a server failed. Another one may work. */
export const FAILURE_DELAYS: Delays = { base: 50, longest: 1_000 };

/** Capacity is back within seconds. */
export const THROTTLING_DELAYS: Delays = { base: 500, longest: 1_000 };

/** An on-demand table that is read at full speed throttles until it has scaled up. */
export const SCALING_DELAYS: Delays = { base: 500, longest: 32_000 };

/** Full jitter: "Exponential Backoff And Jitter", AWS Architecture Blog. */
export const backoff = (tries: number, random: () => number, { base, longest } = CONFLICT_DELAYS): number =>
  random() * Math.min(longest, base * 2 ** tries);
