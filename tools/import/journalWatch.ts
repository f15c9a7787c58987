import type { Runtime } from '../../lib/ground/index.ts';
import type { Service } from '../program/client.ts';

/** From this number of entries, nothing is sent: every list reads the whole journal, so it must stay short. */
export const FULL_JOURNAL = 5_000;

/** Reading a long journal is expensive. */
const INTERVAL_MS = 2_000;

const LENGTH = /(?:^|[\s,])journal;desc="(\d+)"/;

/** The number of journal entries in `Server-Timing`, if it is there. */
export function journalLength(headers: Headers): number | undefined {
  const [, digits] = LENGTH.exec(headers.get('server-timing') ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Makes a function to be awaited before each request. Every two seconds it looks at the journal. A full one is like a service that is
 * busy: everything waits, longer each time, up to the patience of the client.
 */
export function watchJournal({ client, ask }: Service, runtime: Runtime, say: (sentence: string) => void) {
  let lookedAt = runtime.monotonic();
  let looking: Promise<unknown> | undefined;

  /** The cheapest request that reads the journal: `*` always gives 304. */
  const look = () =>
    ask(async (signal) => {
      const params = { query: { size: 1 }, header: { 'If-None-Match': '*' } };
      const result = await client.GET('/api/users', { params, signal });
      const entries = journalLength(result.response.headers) ?? 0;
      if (entries < FULL_JOURNAL) return result;
      const sentence = `The service has ${entries.toLocaleString('en-US')} entries in its journal`;
      say(`${sentence}: nothing is sent until it has folded most of them`);
      throw new Error(sentence);
    });

  return async (): Promise<void> => {
    if (runtime.monotonic() - lookedAt < INTERVAL_MS) return;
    looking ??= look().finally(() => {
      looking = undefined;
      lookedAt = runtime.monotonic();
    });
    await looking;
  };
}
