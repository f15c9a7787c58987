import type { components } from '../../../docs/openapi.d.ts';
import type { Client } from './client.ts';
import { journalLength } from './journalWatch.ts';
import type { Answer, Ask } from './requests.ts';
import { Stop } from './stop.ts';
import type { ListedUser } from './usersById.ts';

export type Change = components['schemas']['Change'];

/** The most changes that come at a time. */
export const MAX_CHANGES = 1_000;

/** How many users a service has, and the entries of its journal: writes that the feed does not show yet. */
export interface Size {
  users: number;
  /** Undefined when something between has removed `Server-Timing`. */
  journal: number | undefined;
  /** The ETag of the list of all users. */
  tag: string | undefined;
}

/** What a request that must succeed has brought. @throws {Stop} when it was refused */
function must<Data>({ data, reason }: Answer<Data>): Data {
  if (data === undefined || data === null) throw new Stop(reason);
  return data;
}

/** Reads a service. @throws {Stop} when it refuses a request */
export function createReader(client: Client, ask: Ask) {
  return {
    async size(): Promise<Size> {
      const query = { size: 1 };
      const answer = await ask((signal) => client.GET('/api/users', { params: { query }, signal }));
      const page = must(answer);
      if (typeof page !== 'object' || !('totalElements' in page))
        throw new Stop(`${answer.reason} without totalElements`);
      const tag = answer.headers.get('etag') ?? undefined;
      return { users: page.totalElements, journal: journalLength(answer.headers), tag };
    },

    async batch(cursor: number): Promise<readonly ListedUser[]> {
      const query = { cursor };
      const answer = await ask((signal) => client.GET('/api/users/cursor', { params: { query }, signal }));
      const users = must(answer);
      if (!Array.isArray(users)) throw new Stop(`${answer.reason} without users`);
      return users;
    },

    /** Undefined if there is none. */
    async user(id: number): Promise<ListedUser | undefined> {
      const answer = await ask((signal) => client.GET('/api/users/{id}', { params: { path: { id } }, signal }));
      return answer.status === 404 ? undefined : must(answer);
    },

    /** Undefined if changes after the token are no longer kept. */
    async changes(after: string): Promise<{ changes: readonly Change[]; next: string } | undefined> {
      const query = { after, size: MAX_CHANGES };
      const answer = await ask((signal) => client.GET('/api/users/changes', { params: { query }, signal }));
      if (answer.status === 410) return undefined;
      if (answer.status === 404) {
        throw new Stop(`${answer.reason}: without them, what is written during the copy would be lost`);
      }
      return must(answer);
    },
  };
}

export type Reader = ReturnType<typeof createReader>;
