import { setInterval } from 'node:timers/promises';
import type { Client } from './client.ts';
import type { Pace } from './pace.ts';

/** A long journal is dear to read, for the service too. */
const INTERVAL_MS = 2_000;

const LENGTH = /(?:^|[\s,])journal;desc="(\d+)"/;

/** How many entries the journal had, where `Server-Timing` says so. */
export function journalLength(headers: Headers): number | undefined {
  const [, digits] = LENGTH.exec(headers.get('server-timing') ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** The cheapest request that reads the journal: whatever its state is, it is known. */
async function readLength(client: Client, signal: AbortSignal): Promise<number | undefined> {
  const { response } = await client.GET('/api/users', {
    params: { query: { size: 1 }, header: { 'If-None-Match': '*' } },
    signal,
  });
  return journalLength(response.headers);
}

/**
 * Tells the pace how long the journal is, every two seconds, until the signal ends it. Where the service does not say, because
 * the token may only write or something is wrong, answers to the lines alone set the pace.
 */
export async function watchJournal(client: Client, pace: Pace, signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of setInterval(INTERVAL_MS, undefined, { signal, ref: false })) {
      pace.noteJournal((await readLength(client, signal).catch(() => undefined)) ?? 0);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
