import type { components, paths } from '../../docs/openapi.d.ts';
import { ACCEPT, createSend, type SendOptions } from './send.ts';

export type User = components['schemas']['User'];
export type Change = components['schemas']['Change'];
export type UserChange = components['schemas']['UserChange'];
export type Page = components['schemas']['UserPage'];
export type ChangeType = Change['type'];
export const CHANGE_TYPES: readonly ChangeType[] = ['created', 'updated', 'deleted'];
export type ChangesQuery = NonNullable<paths['/api/users/changes']['get']['parameters']['query']>;
export type Query = Readonly<Record<string, string | number | readonly (string | number)[]>>;

/** CSV (RFC 4180), or a JSON object a line. */
export type SavedType = 'text/csv' | 'application/x-ndjson';

/** What happens to all users of an edit. */
export type EditBody = { patch: UserFields } | { delete: true };
export type EditPreview = Required<Pick<EditAnswer, 'total' | 'examples' | 'units' | 'dollars'>>;
export type EditResult = components['schemas']['EditResult'];
type EditAnswer = components['schemas']['EditAnswer'];

/** What people enter. `null` takes a value away. */
export type UserFields = Readonly<Record<string, unknown>>;

export interface TaggedUser {
  user: User;
  /** For `If-Match`. */
  etag: string;
}

interface Asked {
  query?: Query;
  headers?: Readonly<Record<string, string>>;
  json?: object;
  signal?: AbortSignal;
}

/** Whoever means everybody says so. */
const wholly = (query: Query) => (Object.keys(query).length === 0 ? { everybody: true } : {});

/** Excel takes a file without this mark for one that is not UTF-8. */
const MARK = '\uFEFF';

/**
 * Sends requests to the service. All of them throw `RequestFailure`, or what an `AbortSignal` throws.
 *
 * @param api the path of the API
 */
export function connect({ api, ...options }: SendOptions & { api: string }) {
  const send = createSend(options);

  function ask(method: string, path: string, { query = {}, headers, json, signal }: Asked): Promise<Response> {
    const url = new URL(`${api}/users${path}`, location.href);
    const values = Object.entries(query).flatMap(([name, some]) => [some].flat().map((value) => [name, String(value)]));
    url.search = String(new URLSearchParams(values));
    const type = json !== undefined && { 'content-type': 'application/json' };
    // As it is, U+FFFD is taken for a byte that is not UTF-8.
    const body = json === undefined ? null : JSON.stringify(json).replaceAll('\uFFFD', '\\ufffd');
    const all = { accept: ACCEPT, ...type, ...headers };
    return send(new Request(url, { method, headers: all, body, ...(signal && { signal }) }));
  }

  /** Only successful responses come as far as this. */
  const read = async <Body>(path: string, query: Query, signal: AbortSignal): Promise<Body> =>
    (await ask('GET', path, { query, signal })).json() as Promise<Body>;

  async function tagged(method: string, path: string, asked: Asked): Promise<TaggedUser> {
    const response = await ask(method, path, asked);
    return { user: (await response.json()) as User, etag: response.headers.get('etag') ?? '' };
  }

  /** Calls of an edit, or of an undo, until nothing is left to do. @param onLeft is told how much that is */
  async function runEdit(path: string, asked: Asked, onLeft: (left: number) => void): Promise<EditResult> {
    const result = (await (await ask('POST', path, asked)).json()) as EditResult;
    onLeft(result.left);
    if (result.left === 0) return result;
    const goOn = asked.json === undefined ? asked : { ...asked, json: { ...asked.json, edit: result.edit } };
    return runEdit(path, goOn, onLeft);
  }

  return {
    list: (query: Query, signal: AbortSignal) => read<Page>('', query, signal),

    /** How many users have each value of some fields. */
    counts: (query: Query & { by: readonly string[] }, signal: AbortSignal) =>
      read<components['schemas']['ValueCounts']>('/counts', query, signal),

    /** The whole list, a user a line. @param onLines is told how many lines have come */
    async save(query: Query, type: SavedType, onLines: (lines: number) => void): Promise<Blob> {
      const headers = { accept: `${type}, application/problem+json;q=0.9` };
      const { body } = await ask('GET', '/all', { query, headers });
      const reader = (body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
      const parts: BlobPart[] = type === 'text/csv' ? [MARK] : [];
      let lines = 0;
      // Safari cannot iterate over a stream. A line feed is 10.
      for (let next = await reader.read(); next.value; next = await reader.read()) {
        parts.push(next.value);
        lines += next.value.filter((byte) => byte === 10).length;
        onLines(lines);
      }
      return new Blob(parts, { type });
    },

    read: (id: string, signal: AbortSignal) => tagged('GET', `/${id}`, { signal }),

    /** The user as of a moment. */
    readPast: (id: string, at: string, signal: AbortSignal) => tagged('GET', `/${id}`, { query: { at }, signal }),

    /** @param key makes a second attempt answer what the first has created */
    create: (json: UserFields, key: string) => tagged('POST', '', { json, headers: { 'idempotency-key': key } }),

    /** Changes the members of a JSON Merge Patch (RFC 7396). 412 if the user is no longer the one with this tag. */
    change: (id: number, etag: string, json: UserFields) =>
      tagged('PATCH', `/${id}`, {
        json,
        headers: { 'if-match': etag, 'content-type': 'application/merge-patch+json' },
      }),

    remove: (id: number, etag: string) => ask('DELETE', `/${id}`, { headers: { 'if-match': etag } }),

    /** A deleted user with the same id. 412 if there is one. */
    bringBack: (id: number, json: UserFields) => tagged('PUT', `/${id}`, { json, headers: { 'if-none-match': '*' } }),

    /** What an edit would do. Nothing is written. */
    preview: async (query: Query, body: EditBody, signal: AbortSignal): Promise<EditPreview> => {
      const json = { ...body, ...wholly(query), dryRun: true };
      return (await (await ask('POST', '/edits', { query, json, signal })).json()) as EditPreview;
    },

    /** Changes or deletes all users who match. @param atMost how many they may be */
    edit: (query: Query, body: EditBody, atMost: number, onLeft: (left: number) => void) =>
      runEdit('/edits', { query, json: { ...body, ...wholly(query), atMost } }, onLeft),

    /** Gives back to the users of an edit what they had before. */
    undo: (edit: string) => runEdit(`/edits/${edit}/undo`, {}, () => undefined),

    /** Changes of all users. */
    changes: (query: ChangesQuery, signal: AbortSignal) =>
      read<components['schemas']['ChangePage']>('/changes', query as Query, signal),

    /** The changes of a user, the newest first. */
    history: (id: string, query: { before?: number; size?: number }, signal: AbortSignal) =>
      read<UserChange[]>(`/${id}/changes`, query, signal),
  };
}

export type Connection = ReturnType<typeof connect>;
