import createClient from 'openapi-fetch';
import type { components, paths } from '../../../docs/openapi.d.ts';

export type User = components['schemas']['User'];
export type UserChange = components['schemas']['UserChange'];

/** What one request cost. */
export interface Cost {
  request: string;
  status: number;
  /** DynamoDB's read and write request units. */
  readUnits: number;
  writeUnits: number;
  /** How the list was read. */
  plan: string | undefined;
  milliseconds: number;
}

/** A response with an error, or none at all (status 0), or a fault of this page (status -1). */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure';
  readonly status: number;
  /** What is wrong with which member of the body. */
  readonly members: Readonly<Record<string, string>>;
  /** Absent if the service did not say when to try again. */
  readonly retryAfterS: number | undefined;

  constructor(status: number, message: string, { members = {}, retryAfterS }: Partial<RequestFailure> = {}) {
    super(message);
    this.status = status;
    this.members = members;
    this.retryAfterS = retryAfterS;
  }
}

/** What the service asks for in place of errors of one line: RFC 9457, with all failures. */
const ACCEPT = 'application/problem+json, application/json;q=0.9';

interface ProblemDetails {
  detail?: string;
  message?: string;
  errors?: { detail: string; pointer: string }[];
}

/** A body that breaks off is a `TypeError`, as a host that does not answer is. */
export function toFailure(error: unknown): RequestFailure {
  if (error instanceof RequestFailure) return error;
  return error instanceof TypeError
    ? new RequestFailure(0, 'The answer broke off')
    : new RequestFailure(-1, String(error));
}

async function failureOf(response: Response): Promise<RequestFailure> {
  const body: ProblemDetails = await response.json().catch(() => ({}));
  const members = Object.fromEntries(
    (body.errors ?? []).map(({ detail, pointer }) => [pointer.replace(/^#?\//, ''), detail]),
  );
  const retryAfter = response.headers.get('retry-after');
  return new RequestFailure(response.status, body.detail ?? body.message ?? `Status ${response.status}`, {
    members,
    retryAfterS: retryAfter === null ? undefined : Number(retryAfter),
  });
}

/** Server-Timing (https://www.w3.org/TR/server-timing/) as this service sends it. */
export function readCost(header: string | null): Pick<Cost, 'readUnits' | 'writeUnits' | 'plan'> {
  const units = (unit: string) => Number(new RegExp(`([\\d.]+) ${unit}`).exec(header ?? '')?.[1] ?? 0);
  return { readUnits: units('RRU'), writeUnits: units('WRU'), plan: /plan;desc="([^"]*)"/.exec(header ?? '')?.[1] };
}

/** Keeps what was read with its ETag, so that the same again costs a unit (304). */
const MAX_KEPT = 100;

export interface ConnectionOptions {
  /** The path of the API. */
  api: string;
  /** The current token, if there is one. */
  token(): Promise<string | undefined>;
  onCost(cost: Cost): void;
  send?: typeof fetch;
}

/** Sends requests to the service. All of them throw `RequestFailure`, or what an `AbortSignal` throws. */
export function connect({ api, token, onCost, send = (...request) => fetch(...request) }: ConnectionOptions) {
  const kept = new Map<string, { etag: string; headers: Headers; text: string }>();

  /** Only what came whole: a request that is aborted leaves nothing. */
  async function keep(url: string, response: Response): Promise<void> {
    const { headers, status } = response;
    const etag = headers.get('etag');
    const isData = headers.get('content-type')?.startsWith('application/json');
    if (status !== 200 || etag === null || !isData) return;
    const text = await response.clone().text();
    kept.delete(url);
    kept.set(url, { etag, headers, text });
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  }

  async function sendOne(request: Request): Promise<Response> {
    const { method, url } = request;
    const before = method === 'GET' && request.headers.get('accept') === ACCEPT ? kept.get(url) : undefined;
    const bearer = await token();
    if (bearer !== undefined) request.headers.set('authorization', `Bearer ${bearer}`);
    if (before) request.headers.set('if-none-match', before.etag);
    const start = performance.now();
    const response = await send(request).catch((error: unknown) => {
      if (request.signal.aborted) throw error;
      throw new RequestFailure(0, 'The service cannot be reached');
    });
    onCost({
      request: `${method} ${new URL(url).pathname}`,
      status: response.status,
      ...readCost(response.headers.get('server-timing')),
      milliseconds: performance.now() - start,
    });
    if (response.status === 304 && before) return new Response(before.text, { headers: before.headers });
    if (!response.ok) throw await failureOf(response);
    if (method === 'GET') await keep(url, response);
    return response;
  }

  const client = createClient<paths>({
    baseUrl: new URL(api, location.href).href.replace(/\/api$/, ''),
    headers: { accept: ACCEPT },
    fetch: sendOne,
  });

  /** Only successful responses come as far as this. */
  async function body<Data>(answer: Promise<{ data?: Data; response: Response }>): Promise<Data> {
    return (await answer).data as Data;
  }

  async function withTag(answer: Promise<{ data?: User; response: Response }>): Promise<TaggedUser> {
    const { data, response } = await answer;
    return { user: data as User, etag: response.headers.get('etag') ?? '' };
  }

  const byId = (id: string | number) => ({ path: { id: Number(id) } });

  return {
    list: (query: ListQuery, signal: AbortSignal) =>
      body(client.GET('/api/users', { params: { query }, signal })) as Promise<Page>,

    /** The whole list as CSV (RFC 4180), as a stream. */
    async csv(query: ListQuery, signal: AbortSignal): Promise<Response> {
      const headers = { accept: 'text/csv, application/problem+json;q=0.9' };
      const { response } = await client.GET('/api/users/all', {
        params: { query },
        headers,
        signal,
        parseAs: 'stream',
      });
      return response;
    },

    read: (id: string, signal: AbortSignal) => withTag(client.GET('/api/users/{id}', { params: byId(id), signal })),

    /** @param key makes a second attempt answer what the first has created */
    create: (fields: UserFields, key: string) =>
      withTag(
        client.POST('/api/users', { params: { header: { 'Idempotency-Key': key } }, body: fields as { name: string } }),
      ),

    /** Changes the members of a JSON Merge Patch (RFC 7396). 412 if the user is no longer the one with this tag. */
    change: (id: number, etag: string, patch: UserFields) =>
      withTag(
        client.PATCH('/api/users/{id}', {
          params: { ...byId(id), header: { 'If-Match': etag } },
          body: patch,
          headers: { 'content-type': 'application/merge-patch+json' },
        }),
      ),

    remove: (id: number, etag: string) =>
      body(client.DELETE('/api/users/{id}', { params: { ...byId(id), header: { 'If-Match': etag } } })),

    /** A deleted user with the same id. 412 if there is one. */
    bringBack: (id: number, fields: UserFields) =>
      withTag(
        client.PUT('/api/users/{id}', {
          params: { ...byId(id), header: { 'If-None-Match': '*' } },
          body: fields as { name: string },
        }),
      ),

    history: (id: string, before: number | undefined, signal: AbortSignal) =>
      body(
        client.GET('/api/users/{id}/changes', {
          params: { ...byId(id), query: { size: HISTORY_SIZE, ...(before !== undefined && { before }) } },
          signal,
        }),
      ),
  };
}

/** Changes a page of a history. */
export const HISTORY_SIZE = 20;

export type Connection = ReturnType<typeof connect>;
export type ListQuery = Record<string, string | number | string[]>;
export type Page = components['schemas']['UserPage'];

/** What people enter. `null` takes a value away. */
export type UserFields = Record<string, string | number | null>;

export interface TaggedUser {
  user: User;
  /** For `If-Match`. */
  etag: string;
}
