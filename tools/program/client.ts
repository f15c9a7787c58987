import createClient from 'openapi-fetch';
import type { paths } from '../../.local/openapi.d.ts';
import { type Runtime, systemRuntime } from '../../lib/ground/index.ts';
import { sendWhole } from './send.ts';
import { quoted, reasonOf, Stop } from './stop.ts';
import { findToken } from './token.ts';

/** The last answer of a service, after all attempts. */
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

type ApiRequest<Data> = (signal: AbortSignal) => Promise<ApiResult<Data>>;

/** A running service, as all programs call it. */
export type Service = Awaited<ReturnType<typeof openService>>;

export interface ServiceOptions {
  token?: string | undefined;
  /** How long a request may fail. By default, as long as a person waits. */
  patienceMs?: number;
  runtime?: Runtime;
}

const REQUEST_TIMEOUT_MS = 30_000;
const PATIENCE_MS = 60_000;

/** The shortest pause, which doubles each time without `Retry-After`. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;

/** How often a request is sent if the service responds with 500. */
const MAX_FAULTS = 8;

/** How many tokens one after another are tried. */
const MAX_REFUSALS = 2;

/** As it is, U+FFFD is taken for a byte that is not UTF-8. */
const bodySerializer = (body: unknown): string => JSON.stringify(body).replaceAll('\uFFFD', '\\ufffd');

/** The types of the service: JSON, NDJSON and CSV. A proxy, a sign-in, or another server sends a page with 200. */
const OURS = /^(?:application\/(?:[\w.+-]*json|x-ndjson)|text\/csv)\s*(?:;|$)/i;

/** Somebody else has responded, who would respond the same to a second attempt. */
export const notTheService = (what: string): Stop =>
  new Stop(quoted(`This is not the service: ${what}. Is --url the URL of the service?`));

/** An error that another attempt may not have. @throws {Stop} for any other one */
function passing(error: unknown): unknown {
  if (error instanceof SyntaxError) throw notTheService('its response is not JSON');
  if (error instanceof Stop) throw error;
  return error;
}

/** @throws {Stop} for a success that is of somebody else */
function checkType({ ok, status, headers }: Response): undefined {
  const type = headers.get('content-type');
  if (ok && type !== null && !OURS.test(type)) throw notTheService(`it responded with ${status} and ${type}`);
}

/** Errors of the network that say: nobody listens there. */
const NOBODY = ['ECONNREFUSED', 'ENOTFOUND'];

const isNobody = (error: unknown): boolean => {
  const { cause } = error as { cause?: { code?: string; message?: string } };
  return NOBODY.includes(cause?.code ?? '') || cause?.message === 'bad port';
};

/** The message of an error, or the place where a redirect leads: the user has probably given the wrong URL. */
const messageOf = (error: unknown, { status, headers }: Response): string =>
  status >= 300 && status < 400
    ? `no redirect is followed, here to ${headers.get('location')}`
    : String(Object(error).message ?? '');

/** Whether the same may be responded to otherwise later. */
export const isTransient = (status: number): boolean =>
  status === 0 || status === 408 || status === 429 || status >= 500;

/** Milliseconds until the next attempt: as many as the service asks for, or twice as many each time. */
function delayAfter(headers: Headers, tries: number): number {
  const [seconds] = /^\d+$/.exec(headers.get('retry-after') ?? '') ?? [];
  if (seconds !== undefined) return Math.max(FIRST_PAUSE_MS, Number(seconds) * 1_000);
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries);
}

export async function openService(url: string, options: ServiceOptions = {}) {
  const { runtime = systemRuntime, patienceMs = PATIENCE_MS } = options;
  let token = options.token ?? (await findToken());
  const client = createClient<paths>({ baseUrl: url, bodySerializer, fetch: sendWhole });
  client.use({
    onRequest({ request }) {
      if (token !== undefined) request.headers.set('authorization', `Bearer ${token}`);
    },
    onResponse: ({ response }) => checkType(response),
  });
  let hasAnswered = false;

  let renewal: Promise<void> | undefined;

  /** An import may last longer than a token. */
  async function renew(refused: string | undefined): Promise<void> {
    const another = options.token ?? (await findToken());
    if (another === undefined) throw new Stop('The service asks for a token: give it one with TOKEN or --token-file');
    if (another === refused) throw new Stop('The service refuses the token: get another one, and run this again');
    token = another;
  }

  /** After a 401 there is another token. */
  async function once<Data>(request: ApiRequest<Data>): Promise<Answer<Data>> {
    try {
      const sent = token;
      const { data, error, response } = await request(AbortSignal.timeout(REQUEST_TIMEOUT_MS));
      hasAnswered = true;
      const { status, headers } = response;
      // Of several requests that are refused, one gets the new token for all.
      if (status === 401 && token === sent) renewal ??= renew(sent).finally(() => (renewal = undefined));
      await renewal;
      const message = quoted(messageOf(error, response));
      const reason = `The service responded with ${status}: ${message}`;
      return { status, headers, ...(data !== undefined && { data }), message, reason };
    } catch (error) {
      const reason = reasonOf(passing(error));
      if (!hasAnswered && isNobody(error)) throw new Stop(`The service cannot be reached: ${reason}`);
      return { status: 0, headers: new Headers(), message: reason, reason };
    }
  }

  /** A 401 is an answer only when it comes with one token after another. @throws {Stop} then */
  async function withToken<Data>(request: ApiRequest<Data>): Promise<Answer<Data>> {
    for (let refusals = 0; ; refusals++) {
      const answer = await once(request);
      if (answer.status !== 401) return answer;
      if (refusals === MAX_REFUSALS) throw new Stop(answer.reason);
    }
  }

  /** Several programs, and requests, should not all start at the same moment. */
  const pause = (milliseconds: number) => runtime.sleep(milliseconds * (1 + runtime.random() / 10));

  return {
    client,
    /**
     * Sends a request, again while the service is busy or not there, and with another token after a 401. It must mean the same when it
     * is sent twice.
     *
     * @throws {Stop} when there is no other token, when the service has been busy for too long, or when nobody has ever listened there
     */
    async ask<Data>(request: ApiRequest<Data>): Promise<Answer<Data>> {
      const start = runtime.monotonic();
      for (let [tries, faults] = [0, 0]; ; tries++) {
        const answer = await withToken(request);
        const { status, headers, reason } = answer;
        if (!isTransient(status) || (status === 500 && ++faults === MAX_FAULTS)) return answer;
        if (runtime.monotonic() - start >= patienceMs)
          throw new Stop(`The service has accepted nothing for ${Math.round(patienceMs / 1_000)} seconds: ${reason}`);
        await pause(Math.min(patienceMs, delayAfter(headers, tries)));
      }
    },
  };
}
