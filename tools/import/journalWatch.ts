import { setTimeout } from 'node:timers/promises';
import type { Client } from './client.ts';
import type { Pace } from './pace.ts';

/** Reading a long journal is expensive. */
const INTERVAL_MS = 2_000;

const TIMEOUT_MS = 30_000;

const LENGTH = /(?:^|[\s,])journal;desc="(\d+)"/;

/** The number of journal entries in `Server-Timing`, if it is there. */
export function journalLength(headers: Headers): number | undefined {
  const [, digits] = LENGTH.exec(headers.get('server-timing') ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** The cheapest request that reads the journal: `*` always gives 304. */
async function readLength(client: Client, signal: AbortSignal): Promise<number | undefined> {
  const { response } = await client.GET('/api/users', {
    params: { query: { size: 1 }, header: { 'If-None-Match': '*' } },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  return journalLength(response.headers);
}

/**
 * Reports the length of the journal to the pace every two seconds, until the signal ends it. It keeps the process running: a run that
 * waits for the journal has nothing else that does. Without a length, because the
 * token may only write or something is wrong, only the responses to the lines set the pace.
 */
export async function watchJournal(client: Client, pace: Pace, signal: AbortSignal): Promise<void> {
  try {
    for (;;) {
      await setTimeout(INTERVAL_MS, undefined, { signal });
      pace.noteJournal((await readLength(client, signal).catch(() => undefined)) ?? 0);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
