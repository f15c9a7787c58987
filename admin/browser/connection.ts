import createClient from 'openapi-fetch';
import type { components, paths } from '../../docs/openapi.d.ts';
import { ACCEPT, createSend, type SendOptions } from './send.ts';

export type User = components['schemas']['User'];
export type Change = components['schemas']['Change'];
export type UserChange = components['schemas']['UserChange'];
export type ChangeType = Change['type'];
export const CHANGE_TYPES: readonly ChangeType[] = ['created', 'updated', 'deleted'];

/**
 * Sends requests to the service. All of them throw `RequestFailure`, or what an `AbortSignal` throws.
 *
 * @param api the path of the API
 */
export function connect({ api, ...options }: SendOptions & { api: string }) {
  const client = createClient<paths>({
    baseUrl: new URL(api, location.href).href.replace(/\/api$/, ''),
    headers: { accept: ACCEPT },
    // As it is, U+FFFD is taken for a byte that is not UTF-8.
    bodySerializer: (content: unknown) => JSON.stringify(content).replaceAll('\uFFFD', '\\ufffd'),
    fetch: createSend(options),
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

    /** How many users have each value of some fields. */
    counts: (query: CountsQuery, signal: AbortSignal) =>
      body(client.GET('/api/users/counts', { params: { query }, signal })),

    /** The whole list as CSV (RFC 4180). @param onLines is told how many lines have come */
    async csv(query: ListQuery, onLines: (lines: number) => void): Promise<Blob> {
      const headers = { accept: 'text/csv, application/problem+json;q=0.9' };
      const asked = client.GET('/api/users/all', { params: { query }, headers, parseAs: 'stream' });
      const reader = ((await body<unknown>(asked)) as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
      const parts: Uint8Array<ArrayBuffer>[] = [];
      let lines = 0;
      // Safari cannot iterate over a stream. A line feed is 10.
      for (let next = await reader.read(); next.value; next = await reader.read()) {
        parts.push(next.value);
        lines += next.value.filter((byte) => byte === 10).length;
        onLines(lines);
      }
      // Excel takes a file without this mark for one that is not UTF-8.
      return new Blob(['\uFEFF', ...parts], { type: 'text/csv' });
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

    /** The user as of a moment. */
    readPast: (id: string, at: string, signal: AbortSignal) =>
      withTag(client.GET('/api/users/{id}', { params: { ...byId(id), query: { at } }, signal })),

    /** Changes of all users. */
    changes: (query: ChangesQuery, signal: AbortSignal) =>
      body(client.GET('/api/users/changes', { params: { query }, signal })),

    /** The changes of a user, the newest first. */
    history: (id: string, query: { before?: number; size?: number }, signal: AbortSignal) =>
      body(client.GET('/api/users/{id}/changes', { params: { ...byId(id), query }, signal })),
  };
}

export type Connection = ReturnType<typeof connect>;
export type ListQuery = Record<string, string | number | readonly string[]>;
export type CountsQuery = NonNullable<paths['/api/users/counts']['get']['parameters']['query']>;
export type ChangesQuery = NonNullable<paths['/api/users/changes']['get']['parameters']['query']>;
export type Page = components['schemas']['UserPage'];

/** What people enter. `null` takes a value away. */
export type UserFields = Record<string, string | number | null>;

export interface TaggedUser {
  user: User;
  /** For `If-Match`. */
  etag: string;
}
