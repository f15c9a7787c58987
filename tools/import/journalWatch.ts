import type { Runtime } from '../../lib/runtime.ts';
import type { Client } from './client.ts';
import { Stop } from './stop.ts';

/** From this number of entries, nothing is sent: every list reads the whole journal, so it must stay short. */
export const FULL_JOURNAL = 5_000;

/** Down to this number, the service has caught up. */
export const CALM_JOURNAL = 1_000;

/** Reading a long journal is expensive. */
const INTERVAL_MS = 2_000;

/** The run ends when a full journal has not become shorter for this time. */
const PATIENCE_MS = 5 * 60_000;
const TIMEOUT_MS = 30_000;

const LENGTH = /(?:^|[\s,])journal;desc="(\d+)"/;

/** The number of journal entries in `Server-Timing`, if it is there. */
export function journalLength(headers: Headers): number | undefined {
  const [, digits] = LENGTH.exec(headers.get('server-timing') ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** The cheapest request that reads the journal: `*` always gives 304. A token that may only write learns nothing, and is not slowed down. */
async function readLength(client: Client): Promise<number> {
  const header = { 'If-None-Match': '*' };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const asked = client.GET('/api/users', { params: { query: { size: 1 }, header }, signal });
  return asked.then(({ response }) => journalLength(response.headers) ?? 0).catch(() => 0);
}

interface WatchOptions {
  runtime: Runtime;
  say: (sentence: string) => void;
  /** Ends the waiting. */
  signal: AbortSignal;
}

/**
 * Makes a function to be awaited before each line. Every two seconds it looks at the journal, and waits while that is full.
 *
 * @throws {Stop} when the journal does not become shorter
 */
export function watchJournal(client: Client, { runtime, say, signal }: WatchOptions): () => Promise<void> {
  let lookedAt = runtime.monotonic();
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    let entries = await readLength(client);
    if (entries >= FULL_JOURNAL)
      say(
        `The service has ${entries.toLocaleString('en-US')} entries in its journal: nothing is sent until it has folded most of them`,
      );
    let [least, since] = [entries, runtime.monotonic()];
    for (let isFull = entries >= FULL_JOURNAL; isFull && !signal.aborted; isFull = entries > CALM_JOURNAL) {
      await runtime.sleep(INTERVAL_MS);
      entries = await readLength(client);
      if (entries < least) [least, since] = [entries, runtime.monotonic()];
      else if (runtime.monotonic() - since > PATIENCE_MS)
        throw new Stop(
          `The service has ${entries.toLocaleString('en-US')} entries in its journal, and has folded none for 300 seconds`,
        );
    }
    lookedAt = runtime.monotonic();
  }

  return async () => {
    if (runtime.monotonic() - lookedAt < INTERVAL_MS) return;
    looking ??= look().finally(() => {
      looking = undefined;
    });
    await looking;
  };
}
