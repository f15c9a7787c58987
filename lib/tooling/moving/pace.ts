import type { Runtime } from '../../runtime.ts';
import { Stop } from './stop.ts';

/** Above this number of entries, fewer requests are sent: every listing reads the whole journal, so it must stay short. */
export const CALM_JOURNAL = 1_000;

/** From this number of entries, nothing is sent until the service has caught up. */
const FULL_JOURNAL = 5 * CALM_JOURNAL;

/** The run ends when no line was created or refused for this time. */
const PATIENCE_MS = 5 * 60_000;

/** The pause without `Retry-After`. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;

export interface PaceOptions {
  runtime: Runtime;
  /** The maximum number of parallel requests. */
  parallel: number;
  patienceMs?: number;
}

/**
 * Decides how many requests may be sent at a time: fewer when the service asks for a pause or its journal grows, more when it
 * responds. Additive increase, multiplicative decrease, as in RFC 5681.
 */
export function createPace({ runtime, parallel, patienceMs = PATIENCE_MS }: PaceOptions) {
  let [limit, underWay, pauses, journal] = [parallel, 0, 0, 0];
  let [pausedUntil, lastCut] = [0, 0];
  let lastSettled = runtime.monotonic();
  const waiting: (() => void)[] = [];

  const room = (): number => {
    if (journal >= FULL_JOURNAL) return 0;
    const share = journal > CALM_JOURNAL ? CALM_JOURNAL / journal : 1;
    return Math.max(1, Math.floor(limit * share));
  };
  const admit = () => {
    while (underWay < room() && waiting.length > 0) {
      underWay++;
      waiting.shift()?.();
    }
  };

  async function enter(): Promise<void> {
    if (underWay < room()) underWay++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    for (let wait = pausedUntil - runtime.monotonic(); wait > 0; wait = pausedUntil - runtime.monotonic()) {
      await runtime.sleep(wait);
    }
  }

  /** Requests that were sent before the last cut say nothing about the pace after it. */
  function slowDown(sentAt: number, retryAfterMs: number | undefined, why: string): void {
    const now = runtime.monotonic();
    if (now - lastSettled > patienceMs) {
      throw new Stop(`The service has accepted nothing for ${Math.round(patienceMs / 1_000)} seconds: ${why}`);
    }
    if (sentAt >= lastCut) {
      limit = Math.max(1, limit / 2);
      lastCut = now;
      pauses++;
    }
    const pause = retryAfterMs ?? Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(pauses, 10));
    // Spread a little, so that requests do not all start at the same moment.
    pausedUntil = Math.max(pausedUntil, now + pause * (1 + runtime.random() / 10));
  }

  return {
    /** Runs a task when it is its turn. */
    async inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
      await enter();
      try {
        return await task();
      } finally {
        underWay--;
        admit();
      }
    },
    /** A line was accepted or refused: the service works. */
    settled(): void {
      lastSettled = runtime.monotonic();
      pauses = 0;
      limit = Math.min(parallel, limit + 1 / limit);
    },
    slowDown,
    noteJournal(entries: number): void {
      journal = entries;
      // The import itself waits now, so this time does not count against the service.
      if (room() === 0) lastSettled = runtime.monotonic();
      admit();
    },
    /** How many requests may be under way now. */
    room,
  };
}

export type Pace = ReturnType<typeof createPace>;
