/**
 * Merges recent names into names and pieces, a part at a time, at the same time as the fold's batches, which do not write these
 * two. Any fold may repeat it, and go on where another has died: nodes that have the names are left alone.
 */

import { treeOf } from '../counts/maps.ts';
import { nameDeltas } from '../counts/names.ts';
import { readRecent, recentMap } from '../counts/recent.ts';
import type { Database } from '../database.ts';
import { endMerge, type Head, mergingOf, type RecentNames } from '../journal/head.ts';
import { JournalMoved } from '../journal/journal.ts';
import type { NodeCache } from '../tree/cache.ts';
import { AT_REST } from '../tree/read.ts';
import { type Addition, addBatch, deleteMap } from '../tree/write.ts';
import { sumUp } from './apply.ts';

/** How many maps are added to at once, and about how many changes: a batch of the fold waits until they are written. */
const PART = 16;
const PART_CHANGES = 500;

/** Names may wait until there are this many times as many as one merge takes. Then they are merged before anything else. */
const MOST_WAITING = 4;

/** What is left of a merge. */
interface Work {
  name: string;
  left: Addition[];
  /** When its last node was written, by the clock of this fold. */
  endedAt?: number;
}

/** How many maps come next. */
function nextPart(left: readonly Addition[]): number {
  let [maps, changes] = [0, 0];
  while (maps < Math.min(PART, left.length) && changes < PART_CHANGES) changes += left[maps++]?.deltas.length ?? 0;
  return maps;
}

export function createMerge(database: Database, cache: NodeCache, writtenToEndMs: number) {
  const { runtime, sizes } = database;
  let work: Work | undefined;

  /** Undefined if there is none, or another fold has ended it since the head was read. */
  async function workOf(head: Head): Promise<Work | undefined> {
    const merging = mergingOf(head);
    if (!merging) return undefined;
    const name = `${head.generation}:${merging.epoch}`;
    if (work?.name === name) return work;
    try {
      const rows = await readRecent(treeOf(database, head.generation), merging, AT_REST);
      work = { name, left: sumUp(rows.flatMap(nameDeltas)) };
      return work;
    } catch (error) {
      if (error instanceof JournalMoved) return undefined;
      throw error;
    }
  }

  /** Goes on until a moment of the monotonic clock, or until all names are merged. @returns false when there is nothing to merge */
  async function advance(head: Head, until: number): Promise<boolean> {
    const now = await workOf(head);
    while (now && now.left.length > 0 && runtime.monotonic() < until) {
      const maps = nextPart(now.left);
      await addBatch(treeOf(database, head.generation), cache, head.recent.epoch, now.left.slice(0, maps));
      // Not before: what fails is done again.
      now.left.splice(0, maps);
    }
    if (now?.left.length === 0) now.endedAt ??= runtime.monotonic();
    return now !== undefined;
  }

  return {
    advance,
    /** Ends a merge whose nodes were all written some time ago, so that whoever has read one before has read the head since. */
    async settle(head: Head): Promise<Head> {
      if (head.isMerging && head.recent.weight > MOST_WAITING * sizes.recentBytes)
        await advance(head, Number.POSITIVE_INFINITY);
      const endedAt = (await workOf(head))?.endedAt;
      if (endedAt === undefined || runtime.monotonic() - endedAt < writtenToEndMs) return head;
      return { ...head, isMerging: !(await endMerge(database, head)) };
    },
    /** Recent names after a batch: its names join the present map, or begin a map of their own while the others are merged. */
    async next(head: Head, weight: number): Promise<RecentNames> {
      const { epoch, recent, merged, isMerging } = head;
      const isFull = !isMerging && recent.weight > 0 && recent.weight + weight > sizes.recentBytes;
      if (!isFull) return { recent: { ...recent, weight: recent.weight + weight }, merged, isMerging };
      if (merged) await deleteMap(treeOf(database, head.generation), recentMap(merged));
      return { recent: { epoch: epoch + 1, weight }, merged: recent, isMerging: true };
    },
  };
}
