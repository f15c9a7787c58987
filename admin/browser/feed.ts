import type { Differences } from './ChangeLine.tsx';
import type { Change, Connection } from './connection.ts';
import { differencesOf } from './edit.ts';
import { toFailure } from './failure.ts';

/** Changes per request: the most that the API gives. */
const SIZE = 1_000;

/** Another visit begins where so many changes follow, at least. */
const ENOUGH = 100;

/** What was read of the changes of all users. */
export interface Kept {
  /** The newest first. */
  changes: readonly Change[];
  /** Whether the last of them is the oldest that the service keeps. */
  isWhole: boolean;
  /** Whether later ones have not been read yet. */
  hasMore: boolean;
}

export type Feed = ReturnType<typeof createFeed>;

/**
 * The changes of all users. The API tells them from the oldest on, so the browser keeps the token of a place shortly before the
 * end: another visit begins there.
 *
 * @param place the name under which it is kept
 */
export function createFeed(connection: Connection, place: string) {
  let next = localStorage.getItem(place) ?? undefined;
  let kept: Kept = { changes: [], isWhole: next === undefined, hasMore: true };

  /** Begins with the oldest change that the service keeps. */
  function restart(): void {
    localStorage.removeItem(place);
    next = undefined;
    kept = { changes: [], isWhole: true, hasMore: true };
  }

  async function readPage(signal: AbortSignal): Promise<void> {
    const page = await connection.changes(next, SIZE, signal);
    signal.throwIfAborted();
    if (next !== undefined && page.changes.length >= ENOUGH) localStorage.setItem(place, next);
    next = page.next;
    const changes = [...page.changes.toReversed(), ...kept.changes];
    kept = { ...kept, changes, hasMore: page.changes.length === SIZE };
  }

  return {
    restart,

    /** Reads what has come since, and shows what is known after each request. */
    async readOn(signal: AbortSignal, show: (kept: Kept) => void): Promise<Kept> {
      do {
        await readPage(signal).catch((error: unknown) => {
          // What follows the token is no longer kept.
          if (next === undefined || toFailure(error).status !== 410) throw error;
          restart();
        });
        show(kept);
      } while (kept.hasMore);
      return kept;
    },

    /** What an update has changed: computed, if the change before was read as well. Undefined if it was erased. */
    async differences({ id, version, user }: Change, signal: AbortSignal): Promise<Differences | undefined> {
      const before = kept.changes.find((other) => other.id === id && other.version === version - 1)?.user;
      if (before && user) return differencesOf(before, user);
      const [only] = await connection.history(String(id), { before: version + 1, size: 1 }, signal);
      return only?.version === version ? only : undefined;
    },
  };
}
