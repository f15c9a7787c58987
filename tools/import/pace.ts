import type { Runtime } from '../../lib/runtime.ts';
import { Stop } from './stop.ts';

/** The run ends when every request has failed for this time. */
const PATIENCE_MS = 5 * 60_000;

/** A pause is taken in parts, so that it can be ended. */
const LONGEST_SLEEP_MS = 1_000;

/** The pause without `Retry-After`. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;

export interface PaceOptions {
  runtime: Runtime;
  patienceMs?: number;
  /** The service, in messages. */
  name?: string;
  /** Ends what waits. */
  signal?: AbortSignal;
}

/** Pauses all requests together while the service is busy: for as long as it asks, otherwise longer each time. */
export function createPace({ runtime, patienceMs = PATIENCE_MS, name = 'The service', signal }: PaceOptions) {
  let [pausedUntil, pauses] = [0, 0];
  /** Since when every request has failed. */
  let failingSince: number | undefined;

  return {
    /** Waits until a request may be sent. @throws {Stop} at the signal */
    async pause(): Promise<void> {
      for (let wait = pausedUntil - runtime.monotonic(); wait > 0; wait = pausedUntil - runtime.monotonic()) {
        if (signal?.aborted) throw new Stop('Stopped before the end');
        await runtime.sleep(Math.min(wait, LONGEST_SLEEP_MS));
      }
    },
    /** A request was carried out or refused: the service works. */
    settled(): void {
      failingSince = undefined;
      pauses = 0;
    },
    /** A request that was sent at a moment has failed. @throws {Stop} when all have for too long, and at the signal */
    slowDown(sentAt: number, retryAfterMs: number | undefined, why: string): void {
      if (signal?.aborted) throw new Stop('Stopped before the end');
      const now = runtime.monotonic();
      failingSince ??= sentAt;
      if (now - failingSince > patienceMs) {
        throw new Stop(`${name} has accepted nothing for ${Math.round(patienceMs / 1_000)} seconds: ${why}`);
      }
      // Requests that were sent before the last pause say nothing new.
      if (sentAt >= pausedUntil) pauses++;
      const pause = retryAfterMs ?? Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(pauses, 10));
      // Spread a little, so that several programs do not all start at the same moment.
      pausedUntil = Math.max(pausedUntil, now + pause * (1 + runtime.random() / 10));
    },
  };
}

export type Pace = ReturnType<typeof createPace>;
