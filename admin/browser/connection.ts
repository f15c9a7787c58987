import createClient from 'openapi-fetch';
import type { components, paths } from '../../docs/openapi.d.ts';
import { ACCEPT, createSend, type SendOptions } from './send.ts';

export type User = components['schemas']['User'];
export type UserChange = components['schemas']['UserChange'];

export interface ConnectionOptions extends SendOptions {
  /** The path of the API. */
  api: string;
}

/** Sends requests to the service. All of them throw `RequestFailure`, or what an `AbortSignal` throws. */
export function connect({ api, ...options }: ConnectionOptions) {
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

    /** How many users have each value of a field. */
    counts: (by: 'status' | 'country', signal: AbortSignal) =>
      body(client.GET('/api/users/counts', { params: { query: { by: [by] } }, signal })),

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
