import type { Differences } from './ChangeList.tsx';
import type { Change, ChangePage, Connection, Query, UserChange } from './connection.ts';

/** Changes that are shown at first, and more at each click. */
const SIZE = 30;

/** How many changes a request passes by on the way back to a day. */
const STRIDE = 1_000;

/** What was read of the changes of all users. */
export interface Kept {
  /** The newest first. */
  changes: readonly Change[];
  /** Whether there may be earlier ones. */
  hasMore: boolean;
}

/**
 * The changes of all users, from now back, a page at a time.
 *
 * @param asked which of them
 * @param day the last day that is shown, in the reader's zone; empty: today
 */
export function createFeed(connection: Connection, asked: Query, day: string) {
  const end = day === '' ? Number.POSITIVE_INFINITY : new Date(`${day}T00:00`).setHours(24);
  let before: string | undefined = 'now';
  let changes: readonly Change[] = [];

  return {
    /** Reads the page before what was read. */
    async readBack(signal: AbortSignal): Promise<Kept> {
      const wanted = changes.length + 1;
      while (before !== undefined && changes.length < wanted) {
        const size = Number.isFinite(end) && changes.length === 0 ? STRIDE : SIZE;
        const page = await connection.read<ChangePage>('/changes', { ...asked, before, size }, signal);
        signal.throwIfAborted();
        changes = [...changes, ...page.changes.filter(({ at }) => Date.parse(at) < end)];
        before = page.next;
        // Without a day a page that has nothing is told, too: what is asked for may be rare.
        if (!Number.isFinite(end)) break;
      }
      return { changes, hasMore: before !== undefined };
    },

    /** What an update has changed: computed, if the change before was read as well. Undefined if it was erased. */
    async differences({ id, version, user }: Change, signal: AbortSignal): Promise<Differences | undefined> {
      const earlier = changes.find((other) => other.id === id && other.version === version - 1)?.user;
      if (earlier && user) return { before: earlier, after: user };
      const [only] = await connection.read<UserChange[]>(`/${id}/changes`, { before: version + 1, size: 1 }, signal);
      return only?.version === version ? only : undefined;
    },
  };
}
