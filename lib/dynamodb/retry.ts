import { currentMeter, note, type Runtime, ServiceError, sleepWithin } from '../ground/index.ts';

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
export const THROTTLING_DELAYS: Delays = { base: 100, longest: 1_000 };

/** How calls of long work are repeated, after their attempts. */
export interface Patience {
  delays: Delays;
  /** How many calls at most. */
  calls: number;
}

/** For work that no client waits for: an on-demand table that is read at full speed throttles until it has scaled up. */
export const SCALING: Patience = { delays: { base: 500, longest: 32_000 }, calls: 16 };

const noteThrottled = (): void => note({ throttledCalls: (currentMeter()?.throttledCalls ?? 0) + 1 });

/** Full jitter: "Exponential Backoff And Jitter", AWS Architecture Blog. */
const backoff = (tries: number, random: () => number, { base, longest }: Delays): number =>
  random() * Math.min(longest, base * 2 ** tries);

/** A try that has failed for a time. */
export class Again {
  /** Thrown when no try is left. */
  readonly error: ServiceError;
  readonly delays: Delays;

  /** @param delays those after a conflict, unless others are given */
  constructor(error: ServiceError, delays = CONFLICT_DELAYS) {
    this.error = error;
    this.delays = delays;
  }
}

/**
 * Tries until it succeeds, or until the deadline.
 *
 * @param most tries; after a throttled one perhaps more
 * @param attempt gets the number of the try, from 1
 * @throws {ServiceError} the error of the last try, or 503 when there is no time for another one
 */
export async function retry<Result>(
  runtime: Pick<Runtime, 'now' | 'sleep' | 'random'>,
  most: number | ((again: Again) => number),
  attempt: (tries: number) => Promise<Result | Again>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    const result = await attempt(tries);
    if (!(result instanceof Again)) return result;
    if (result.delays === THROTTLING_DELAYS) noteThrottled();
    if (tries >= (typeof most === 'number' ? most : most(result))) throw result.error;
    await sleepWithin(runtime, backoff(tries - 1, runtime.random, result.delays));
  }
}

/** For long work: after its attempts, the call is repeated. */
export const withRetries = <Result>(
  { runtime }: { runtime: Runtime },
  call: () => Promise<Result>,
  { delays, calls } = SCALING,
): Promise<Result> =>
  retry(runtime, calls, () =>
    call().catch((error: unknown) => {
      if (!(error instanceof ServiceError) || error.status !== 503) throw error;
      return new Again(error, delays);
    }),
  );
