import createClient from 'openapi-fetch';
import type { paths } from '../../docs/openapi.d.ts';
import { type Runtime, systemRuntime } from '../../lib/runtime.ts';
import { ClientRefused, findToken } from '../operate/token.ts';
import { createPace, type Pace } from './pace.ts';
import { printable, reasonOf, Stop } from './stop.ts';

export type Client = ReturnType<typeof createClient<paths>>;

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

/**
 * Sends requests at a pace: again while the service is busy or not there, and with another token after a 401. Each must mean the
 * same when it is sent twice.
 *
 * @throws {Stop} when there is no other token, when the service has been busy for too long, or when nobody has ever listened there
 */
export type Ask = <Data>(request: (signal: AbortSignal) => Promise<ApiResult<Data>>) => Promise<Answer<Data>>;

/** A running service, as all programs call it. */
export interface Service {
  client: Client;
  ask: Ask;
}

export interface ServiceOptions {
  token?: string | undefined;
  /** The option of the token, in messages. */
  option?: string;
  /** The service, in messages. */
  name?: string;
  /** With the patience of a person who waits, unless it is given. */
  pace?: Pace;
  runtime?: Runtime;
}

const REQUEST_TIMEOUT_MS = 30_000;
const PATIENCE_MS = 60_000;

/** How often a request is sent if the service responds with 500. */
const MAX_FAULTS = 8;

/** As it is, U+FFFD is taken for a byte that is not UTF-8. */
const bodySerializer = (body: unknown): string => JSON.stringify(body).replaceAll('\uFFFD', '\\ufffd');

/** An issuer that does not respond is asked again. All pauses together are half a minute. */
const TOKEN_TRIES = 6;
const FIRST_PAUSE_MS = 1_000;

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

async function findAnother(sleep: Runtime['sleep']): Promise<string | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      return await findToken();
    } catch (error) {
      if (tries === TOKEN_TRIES || error instanceof ClientRefused)
        throw new Stop(`There is no other token: ${reasonOf(error)}`);
      await sleep(FIRST_PAUSE_MS * 2 ** (tries - 1));
    }
  }
}

/** The current token: given, from the environment, or none. An import may last longer than a token. */
async function createTokens(given: string | undefined, option: string, sleep: Runtime['sleep']) {
  let token = given ?? (await findToken());
  let renewal: Promise<void> | undefined;
  async function getAnother(): Promise<void> {
    const another = given ?? (await findAnother(sleep));
    if (another === undefined) throw new Stop(`The service asks for a token: give it one with ${option}`);
    if (another === token) throw new Stop('The service refuses the token: get another one, and run this again');
    token = another;
  }
  return {
    current: () => token,
    /** @throws {Stop} when there is no other token */
    async renew(refused: string | undefined): Promise<void> {
      // Several requests may be refused at the same time. The first of them gets the new token for all.
      if (token !== refused) return;
      renewal ??= getAnother().finally(() => {
        renewal = undefined;
      });
      await renewal;
    },
  };
}

export async function openService(url: string, options: ServiceOptions = {}): Promise<Service> {
  const { token, option = '--token', name = 'The service', runtime = systemRuntime } = options;
  const pace = options.pace ?? createPace({ runtime, patienceMs: PATIENCE_MS, name });
  const tokens = await createTokens(token, option, runtime.sleep);
  const client = createClient<paths>({ baseUrl: url, bodySerializer });
  client.use({
    onRequest({ request }) {
      const current = tokens.current();
      if (current !== undefined) request.headers.set('authorization', `Bearer ${current}`);
    },
  });
  let hasAnswered = false;

  async function once<Data>(request: (signal: AbortSignal) => Promise<ApiResult<Data>>): Promise<Answer<Data>> {
    try {
      const { data, error, response } = await request(AbortSignal.timeout(REQUEST_TIMEOUT_MS));
      hasAnswered = true;
      const { status, headers } = response;
      const message = printable(String((error as { message?: unknown } | undefined)?.message ?? ''));
      const reason = `${name} responded with ${status}: ${message}`;
      return { status, headers, ...(data !== undefined && { data }), message, reason };
    } catch (error) {
      if (!hasAnswered && isNobody(error)) throw new Stop(`${name} cannot be reached: ${reasonOf(error)}`);
      return { status: 0, headers: new Headers(), message: reasonOf(error), reason: reasonOf(error) };
    }
  }

  const ask: Ask = async (request) => {
    let [faults, renewals] = [0, 0];
    for (;;) {
      await pace.pause();
      const [sentAt, sent] = [runtime.monotonic(), tokens.current()];
      const answer = await once(request);
      if (answer.status === 401) {
        if (renewals++ > 0) throw new Stop(answer.reason);
        await tokens.renew(sent);
        continue;
      }
      // A token may expire again while the service is busy.
      renewals = 0;
      if (!isTransient(answer.status) || (answer.status === 500 && ++faults === MAX_FAULTS)) {
        pace.settled();
        return answer;
      }
      pace.slowDown(sentAt, retryAfterMs(answer.headers, runtime.now()), answer.reason);
    }
  };
  return { client, ask };
}
