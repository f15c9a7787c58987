import type { components } from '../../../.local/openapi.d.ts';
import { session, settings } from '../session/session.ts';
import { share, shared } from './state.ts';

type Schemas = components['schemas'];
export type User = Schemas['User'];
export type Change = Schemas['Change'];
export type UserChange = Schemas['UserChange'];
export type Page = Schemas['UserPage'];
export type ChangePage = Schemas['ChangePage'];
export type ValueCounts = Schemas['ValueCounts'];

export type EditPreview = Required<Pick<Schemas['EditAnswer'], 'total' | 'examples' | 'units' | 'dollars'>>;
export type EditResult = Omit<Schemas['EditState'], 'at' | 'by'>;

/** The progress of an edit. */
export type EditState = Schemas['EditState'];

/** The body of a request: of a user, where `null` takes a value away, or of an edit, with `patch`, `add`, `remove`, or `delete`. */
export type Body = Readonly<Record<string, unknown>>;

/** Parameters, as the API takes them. An empty value is none. */
export type Query = Readonly<Record<string, string | number | readonly (string | number)[]>>;

export interface TaggedUser {
  user: User;
  /** For `If-Match`. */
  etag: string;
}

/** For an `Idempotency-Key`. `crypto.randomUUID` is missing where the page comes over http. */
export const randomKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

/** When to try again, if the service did not say it. */
const RETRY_AFTER_S = 5;

/** A response with an error, or none at all (status 0), or a fault of this page (status -1). */
export class RequestFailure extends Error {
  readonly status: number;
  /** The errors of members of the body, such as `age` or `attributes/team`. */
  readonly members: Readonly<Record<string, string>>;
  /** When to try again. Absent if that does not help. */
  readonly retryAfterS: number | undefined;
  /** Whether it may have been done all the same. */
  readonly isUnknown: boolean;

  constructor(status: number, message: string, members = {}, retryAfterS?: number) {
    super(message);
    this.status = status;
    this.members = members;
    this.isUnknown = status === 0 || status >= 500;
    this.retryAfterS = retryAfterS ?? (this.isUnknown || status === 429 ? RETRY_AFTER_S : undefined);
  }
}

/** A body that breaks off is a `TypeError`, as a host that does not answer is. */
export function toFailure(error: unknown): RequestFailure {
  if (error instanceof RequestFailure) return error;
  return error instanceof TypeError ? new RequestFailure(0, 'No answer came') : new RequestFailure(-1, String(error));
}

/** "Not taken back: The user has changed since" */
export const notDone = ({ isUnknown, message }: RequestFailure, done = 'done'): string =>
  `${isUnknown ? 'It is not known whether it was' : 'Not'} ${done}: ${message}`;

interface ProblemDetails {
  detail?: string;
  message?: string;
  errors?: { detail: string; pointer: string }[];
}

/** The failure that a response with an error tells of. */
async function failureOf(response: Response): Promise<RequestFailure> {
  const { detail, message, errors = [] }: ProblemDetails = await response.json().catch(() => ({}));
  const members = errors.map((error) => [error.pointer.replace(/^#?\//, ''), error.detail]);
  const said = detail ?? message ?? `Status ${response.status}`;
  const retryAfterS = Number(response.headers.get('retry-after')) || undefined;
  return new RequestFailure(response.status, said, Object.fromEntries(members), retryAfterS);
}

export interface Asked {
  query?: Query;
  headers?: Readonly<Record<string, string>>;
  json?: object | undefined;
  signal?: AbortSignal;
  /** Whether nothing is told of its costs: nobody has asked for it. */
  isQuiet?: boolean;
}

/** Errors are asked for with all failures (RFC 9457), not as one sentence. */
const ACCEPT = 'application/problem+json, application/json;q=0.9';

/** Sends a request with the token. A refused one was not carried out: it is sent again if there is another token. */
async function send(url: URL, { headers, ...request }: RequestInit): Promise<Response> {
  const sendWith = (bearer: string | undefined) =>
    fetch(url, { ...request, headers: { ...(bearer && { authorization: `Bearer ${bearer}` }), ...headers } });
  const bearer = await session.token();
  const response = await sendWith(bearer);
  const other = response.status === 401 ? await session.token(bearer) : bearer;
  return !other || other === bearer ? response : sendWith(other);
}

/** @throws what `fetch` has thrown: a `TypeError` if the host does not answer */
function withoutConnection(error: unknown): never {
  if (error instanceof TypeError) share({ outage: 'offline' });
  throw error;
}

/** 304 is the answer to a question whether something has changed. */
const isAnswer = ({ ok, status }: Response): boolean => ok || status === 304;

/** Notes when an answer came and its costs. All is drawn anew only where one sees that. */
function note(response: Response, isQuiet: boolean): void {
  if (isAnswer(response)) shared.answeredAt = Date.now();
  if (!isQuiet) shared.answer = response;
  const outage = response.status === 401 && session.name !== undefined ? 'expired' : undefined;
  if (outage !== shared.outage || shared.hasCosts) share({ outage });
}

/** Whether nothing can be written now. */
export const isOffline = (): boolean => shared.outage === 'offline';

/**
 * Sends a request to the service, with the token. The browser itself asks with the ETag of what it has, so reading that again costs a
 * unit (304).
 *
 * @throws {RequestFailure} and what `fetch` throws
 */
export async function ask(method: string, path: string, asked: Asked = {}): Promise<Response> {
  const { query = {}, headers, json, signal, isQuiet = false } = asked;
  const url = new URL(`${settings.api}/users${path}`, location.href);
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) if (value !== '') url.searchParams.append(name, String(value));
  }
  const all = {
    accept: ACCEPT,
    ...(json && { 'content-type': 'application/json' }),
    ...headers,
  };

  // As it is, U+FFFD is taken for a byte that is not UTF-8.
  const body = json ? JSON.stringify(json).replaceAll('\uFFFD', '\\ufffd') : null;
  const response = await send(url, { method, headers: all, body, signal: signal ?? null }).catch(withoutConnection);
  note(response, isQuiet);
  if (!isAnswer(response)) throw await failureOf(response);
  return response;
}

export const read = async <Answer>(path: string, query: Query, signal: AbortSignal): Promise<Answer> =>
  (await ask('GET', path, { query, signal })).json();

/** Sends a request that is answered with a user. */
export async function askUser(method: string, path: string, asked?: Asked): Promise<TaggedUser> {
  const response = await ask(method, path, asked);
  return { user: await response.json(), etag: response.headers.get('etag') ?? '' };
}
