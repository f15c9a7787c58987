import type { Change } from './feed.ts';
import { signedHeaders } from './signature.ts';

/** The answer of a receiver, or its absence, after one try. */
export interface Outcome {
  is: 'taken' | 'failed' | 'throttled' | 'gone';
  /** For the log. */
  said: string;
  /** The milliseconds for which the receiver asks to wait. */
  waitMs: number;
}

export interface Receiver {
  to: string;
  keys: readonly Buffer[];
}

/** Of one try. Standard Webhooks asks for 15 to 30 seconds. */
const TIMEOUT_MS = 15_000;

/** The most that a receiver may ask for. */
const MOST_WAIT_MS = 3_600_000;

const KINDS: Readonly<Record<number, Outcome['is']>> = { 410: 'gone', 429: 'throttled' };

/** Seconds, or a moment (RFC 9110, section 10.2.3). */
function waitOf(retryAfter: string | null): number {
  if (retryAfter === null) return 0;
  const asked = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
  return Math.min(Math.max(asked || 0, 0), MOST_WAIT_MS);
}

/** The same for each try of a change, and another for the same version after a restore of the tables. */
const idOf = ({ id, version, at }: Change): string => `${id}-${version}-${Date.parse(at).toString(36)}`;

function outcomeOf({ ok, status, headers }: Response, to: string): Outcome {
  const location = URL.parse(headers.get('location') ?? '', to)?.href;
  const isRedirect = status >= 300 && status < 400;
  const said = isRedirect ? `${status}, a redirect to ${location}, which is not followed` : String(status);
  return { is: ok ? 'taken' : (KINDS[status] ?? 'failed'), said, waitMs: waitOf(headers.get('retry-after')) };
}

/** Sends a change to a receiver, once. */
export async function send(change: Change, { to, keys }: Receiver): Promise<Outcome> {
  const body = JSON.stringify({ type: `user.${change.type}`, timestamp: change.at, data: change });
  const headers = { 'content-type': 'application/json', ...signedHeaders(keys, idOf(change), body, Date.now()) };
  const init = { method: 'POST', headers, body, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
  try {
    const response = await fetch(to, init);
    await response.body?.cancel();
    return outcomeOf(response, to);
  } catch (error) {
    const { name, message, cause } = error as Error;
    const why = name === 'TimeoutError' ? ` within ${TIMEOUT_MS / 1_000} seconds` : `: ${cause ?? message}`;
    return { is: 'failed', said: `no answer${why}`, waitMs: 0 };
  }
}
