import type { Settings } from '../door.ts';
import { ScimError } from './answers.ts';

/** A user as the API has it. */
export interface User {
  id: number;
  name: string;
  createdAt: string;
  updatedAt?: string;
  attributes?: Record<string, unknown>;
  [field: string]: unknown;
}

export type Parameters = (readonly [name: string, value: string])[];

export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

interface More {
  parameters?: Parameters;
  json?: object;
  headers?: Record<string, string>;
}

/** Each of two attempts. Lambda gives the door 29 seconds for what may be several calls. */
const TIMEOUT_MS = 8_000;
/** The seconds after which a caller may try again, unless the service says it. */
const AWAY_S = '10';

/** Refusals of the API, by code, that SCIM has a word for. */
const SCIM_TYPES = new Map([
  ['urn:problem:email-taken', 'uniqueness'],
  ['urn:problem:external-id-taken', 'uniqueness'],
  ['urn:problem:validation', 'invalidValue'],
]);

export const failed = (status: number, detail: string, after: string | null = null) =>
  new ScimError(status, detail, undefined, { 'retry-after': after ?? AWAY_S });

async function attempt(url: URL, init: RequestInit): Promise<Answer<unknown>> {
  const answer = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  const body = await answer.json().catch((error) => {
    // A body that is no JSON is that of something before the service, or there is none.
    if (!(error instanceof SyntaxError)) throw error;
  });
  return { status: answer.status, headers: answer.headers, body };
}

/** Sends a request, and once more if it can be repeated and its answer was lost. */
async function send(url: URL, init: RequestInit, isRepeatable: boolean): Promise<Answer<unknown>> {
  const first = await attempt(url, init).catch((error) => error as Error);
  if (!(first instanceof Error) && (first.status < 502 || !isRepeatable)) return first;
  const second = isRepeatable ? await attempt(url, init).catch((error) => error as Error) : first;
  if (!(second instanceof Error)) return second;
  console.error(second);
  throw failed(503, 'The service does not answer');
}

function failure(status: number, { type, detail, message }: Record<string, unknown>, after: string | null): ScimError {
  const said = String(detail ?? message ?? 'nothing');
  if (status === 429 || status === 503) return failed(status, said, after);
  const isRefusal = status >= 400 && status < 500 && status !== 401 && status !== 403 && type !== undefined;
  if (isRefusal) return new ScimError(status, said, SCIM_TYPES.get(String(type)));
  // A token that is refused is the door's. With a 401 its caller's would be replaced.
  console.error(`The service answered with ${status}: ${said}`);
  return failed(502, `The service answered with ${status}`);
}

/** The answer of something that is not the service. */
export function strange(kind: string): ScimError {
  const said = `The service answered with something that is no ${kind}`;
  console.error(said);
  return failed(502, said);
}

/** A user of the API. @throws {ScimError} 502 for anything else */
export function userIn(body: unknown): User {
  const { id, name, createdAt } = Object(body);
  if (Number.isSafeInteger(id) && typeof name === 'string' && typeof createdAt === 'string') return Object(body);
  throw strange('user');
}

export function usersIn(body: unknown): User[] {
  if (Array.isArray(body)) return body.map(userIn);
  throw strange('list of users');
}

/** Calls of the API, as the door. They throw a `ScimError` for what is neither 2xx nor 304. */
export function serviceOf({ url, serviceToken }: Settings) {
  return async <Body>(method: string, path: string, more: More = {}): Promise<Answer<Body>> => {
    const { parameters = [], json, headers } = more;
    const to = new URL(`${url}/api/users${path}`);
    for (const [name, value] of parameters) to.searchParams.append(name, value);
    const sent: Record<string, string> = { accept: 'application/json, application/problem+json', ...headers };
    if (serviceToken) sent.authorization = `Bearer ${serviceToken}`;
    if (json) sent['content-type'] = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const init = { method, headers: sent, ...(json && { body: JSON.stringify(json) }) };
    const answer = await send(to, init, method === 'GET' || 'idempotency-key' in sent);
    const { status, body } = answer;
    const isGood = status === 304 || status === 204 || (status < 300 && typeof body === 'object');
    if (!isGood) throw failure(status, Object(body), answer.headers.get('retry-after'));
    return answer as Answer<Body>;
  };
}

export type Service = ReturnType<typeof serviceOf>;
