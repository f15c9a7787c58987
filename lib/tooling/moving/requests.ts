import type { Runtime } from '../../runtime.ts';
import type { Connection } from './client.ts';
import type { Pace } from './pace.ts';
import { reasonOf, Stop } from './stop.ts';

const REQUEST_TIMEOUT_MS = 30_000;

/** How often a request is sent if the service responds with 500. */
const MAX_FAULTS = 8;

/** What a service said at last. */
export interface Answer<Data> {
  /** 0 without a response. */
  status: number;
  headers: Headers;
  data?: Data;
  /** The message of an error. */
  message: string;
  /** A sentence with the status and the message. */
  reason: string;
}

interface ApiResult<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

export interface RequestOptions {
  connection: Connection;
  pace: Pace;
  runtime: Runtime;
  /** The service, in messages. */
  name?: string;
}

export type Ask = <Data>(request: (signal: AbortSignal) => Promise<ApiResult<Data>>) => Promise<Answer<Data>>;

/** Seconds, or a date (RFC 9110, section 10.2.3). */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const field = headers.get('retry-after');
  if (field === null) return undefined;
  const wait = /^\d+$/.test(field) ? Number(field) * 1_000 : Date.parse(field) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** Errors of the network that say: nobody listens there. */
const NOBODY = ['ECONNREFUSED', 'ENOTFOUND'];

const isNobody = (error: unknown): boolean => {
  const { cause } = error as { cause?: { code?: string; message?: string } };
  return NOBODY.includes(cause?.code ?? '') || cause?.message === 'bad port';
};

const isTransient = (status: number): boolean => status === 0 || status === 408 || status === 429 || status >= 500;

/**
 * Sends requests at a pace: again while the service is busy or not there, and with another token after a 401. Each must mean the
 * same when it is sent twice.
 *
 * @throws {Stop} when there is no other token, when the service has been busy for too long, or when nobody has ever listened there
 */
export function createRequests({ connection, pace, runtime, name = 'The service' }: RequestOptions): Ask {
  let hasAnswered = false;

  async function once<Data>(request: (signal: AbortSignal) => Promise<ApiResult<Data>>): Promise<Answer<Data>> {
    try {
      const { data, error, response } = await request(AbortSignal.timeout(REQUEST_TIMEOUT_MS));
      hasAnswered = true;
      const { status, headers } = response;
      const message = String((error as { message?: unknown } | undefined)?.message ?? '');
      const reason = `${name} responded with ${status}: ${message}`;
      return { status, headers, ...(data !== undefined && { data }), message, reason };
    } catch (error) {
      if (!hasAnswered && isNobody(error)) throw new Stop(`${name} cannot be reached: ${reasonOf(error)}`);
      return { status: 0, headers: new Headers(), message: reasonOf(error), reason: reasonOf(error) };
    }
  }

  return async (request) => {
    let [faults, renewals] = [0, 0];
    for (;;) {
      let [sentAt, token]: [number, string | undefined] = [0, undefined];
      const answer = await pace.inTurn(() => {
        sentAt = runtime.monotonic();
        token = connection.token();
        return once(request);
      });
      if (answer.status === 401) {
        if (renewals++ > 0) throw new Stop(answer.reason);
        await connection.renew(token);
        continue;
      }
      // A token may expire again while the service is busy.
      renewals = 0;
      if (isTransient(answer.status) && !(answer.status === 500 && ++faults === MAX_FAULTS)) {
        pace.slowDown(sentAt, retryAfterMs(answer.headers, runtime.now()), answer.reason);
      } else {
        pace.settled();
        return answer;
      }
    }
  };
}
