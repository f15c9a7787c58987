import type { Runtime } from '../../lib/runtime.ts';
import { Stop } from './stop.ts';

/** Above this number of entries, fewer requests are sent: every listing reads the whole journal, so it must stay short. */
export const CALM_JOURNAL = 1_000;

/** From this number of entries, nothing is sent until the service has caught up. */
const FULL_JOURNAL = 5 * CALM_JOURNAL;

/** The run ends when every request has failed for this time, or when a full journal has not become shorter. */
const PATIENCE_MS = 5 * 60_000;

/** A pause is taken in parts, so that it can be ended. */
const LONGEST_SLEEP_MS = 1_000;

/** The pause without `Retry-After`. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;

export interface PaceOptions {
  runtime: Runtime;
  /** The maximum number of parallel requests. */
  parallel: number;
  patienceMs?: number;
  /** The service, in messages. */
  name?: string;
  /** Is told what the run waits for. */
  say?: (sentence: string) => void;
  /** Ends what waits for its turn. */
  signal?: AbortSignal;
}

interface Waiter {
  resolve: () => void;
  reject: (why: Stop) => void;
}

/**
 * Decides how many requests may be sent at a time: fewer when the service asks for a pause or its journal grows, more when it
 * responds. Additive increase, multiplicative decrease, as in RFC 5681.
 */
export function createPace(options: PaceOptions) {
  const { runtime, parallel, patienceMs = PATIENCE_MS, name = 'The service', say, signal } = options;
  let [limit, underWay, pauses, journal] = [parallel, 0, 0, 0];
  let [pausedUntil, lastCut] = [0, 0];
  /** Since when every request has failed. */
  let failingSince: number | undefined;
  /** Since when the journal has not become shorter than so many entries. */
  let full: { since: number; entries: number } | undefined;
  /** Why nothing waits any more. */
  let end: Stop | undefined;
  let waiting: Waiter[] = [];

  const endWaiting = (why: Stop): void => {
    end ??= why;
    for (const { reject } of waiting) reject(end);
    waiting = [];
  };
  const stop = () => endWaiting(new Stop('Stopped before the end'));
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });

  const room = (): number => {
    if (journal >= FULL_JOURNAL) return 0;
    const share = journal > CALM_JOURNAL ? CALM_JOURNAL / journal : 1;
    return Math.max(1, Math.floor(limit * share));
  };
  const admit = () => {
    while (underWay < room() && waiting.length > 0) {
      underWay++;
      waiting.shift()?.resolve();
    }
  };

  async function pause(): Promise<void> {
    for (let wait = pausedUntil - runtime.monotonic(); wait > 0; wait = pausedUntil - runtime.monotonic()) {
      if (end) throw end;
      await runtime.sleep(Math.min(wait, LONGEST_SLEEP_MS));
    }
  }

  async function enter(): Promise<void> {
    if (underWay < room()) underWay++;
    else if (end) throw end;
    else await new Promise<void>((resolve, reject) => waiting.push({ resolve, reject }));
  }

  /** Requests that were sent before the last cut say nothing about the pace after it. */
  function slowDown(sentAt: number, retryAfterMs: number | undefined, why: string): void {
    if (end) throw end;
    const now = runtime.monotonic();
    failingSince ??= sentAt;
    if (now - failingSince > patienceMs) {
      throw new Stop(`${name} has accepted nothing for ${Math.round(patienceMs / 1_000)} seconds: ${why}`);
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
        await pause();
        return await task();
      } finally {
        underWay--;
        admit();
      }
    },
    /** A line was accepted or refused: the service works. */
    settled(): void {
      failingSince = undefined;
      pauses = 0;
      limit = Math.min(parallel, limit + 1 / limit);
    },
    slowDown,
    noteJournal(entries: number): void {
      journal = entries;
      if (room() > 0) full = undefined;
      else {
        // The run itself waits now, so this time does not count against the service.
        failingSince = undefined;
        const count = `${entries.toLocaleString('en-US')} entries in its journal`;
        const now = runtime.monotonic();
        if (!full) say?.(`${name} has ${count}: nothing is sent until it has folded most of them`);
        if (!full || entries < full.entries) full = { since: now, entries };
        if (now - full.since > patienceMs)
          endWaiting(
            new Stop(`${name} has ${count}, and has folded none for ${Math.round(patienceMs / 1_000)} seconds`),
          );
      }
      admit();
    },
    /** How many requests may be under way now. */
    room,
  };
}

export type Pace = ReturnType<typeof createPace>;
