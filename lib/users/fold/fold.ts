import { deleteItems } from '../../dynamodb/batchWrite.ts';
import type { Database } from '../database.ts';
import { JOURNAL, type JournalEntry } from '../journal/entry.ts';
import { claim, type Head, isMade, release } from '../journal/head.ts';
import { readItems } from '../journal/items.ts';
import { READ_WITHIN_MS, tagOf, totalOf } from '../journal/journal.ts';
import { beginStage } from '../journal/newStage.ts';
import { createNodeCache } from '../tree/cache.ts';
import { applyBatch } from './apply.ts';
import { splitGrown } from './split.ts';

/** An entry is folded after the fold has known it for this time, in milliseconds: by then every index has caught up. */
const MINIMUM_AGE_MS = 2_000;

/** A batch that was claimed more recently is left to its fold. That saves money; correctness does not depend on it. */
const OWNERS_TIME_MS = 10_000;

/** The most bytes that a batch may add: even if one node gets all of them, DynamoDB accepts its item. */
const MAX_BATCH_BYTES = 150_000;

const POLL_MS = 250;

/** The result of a run of the fold. */
export interface FoldReport {
  /** How many entries were folded. */
  folded: number;
  /** How many entries are left. */
  left: number;
  /** The age of the oldest entry that is left, by the clock of its writer; 0 if there is none. */
  oldestMs: number;
}

/** The most bytes that an entry can add to one node: all suffixes of a last name, with its status and country. */
function weightOf({ after }: JournalEntry): number {
  if (!after) return 0;
  const { lastName = '', status = '', country = '' } = after;
  return (lastName.length + 2) * Buffer.byteLength(lastName) + 4 * Buffer.byteLength(status + country) + 64;
}

/** Oldest versions first, so that an entry is never folded before an older one of the same user. */
function choose({ sizes }: Database, ripe: readonly JournalEntry[]): JournalEntry[] {
  const chosen: JournalEntry[] = [];
  let bytes = 0;
  for (const entry of ripe.toSorted((a, b) => a.version - b.version)) {
    bytes += weightOf(entry);
    if (chosen.length > 0 && (bytes > MAX_BATCH_BYTES || chosen.length === sizes.batchEntries)) break;
    chosen.push(entry);
  }
  return chosen.toSorted((a, b) => (a.sk < b.sk ? -1 : 1));
}

/** The entries that are left of a claimed batch. */
const entriesOf = ({ batch }: Head, entries: readonly JournalEntry[]): JournalEntry[] => {
  const keys = new Set(batch);
  return entries.filter(({ sk }) => keys.has(sk));
};

export interface FoldOptions {
  /** How late indexes may be. In milliseconds. */
  minimumAgeMs?: number;
  /** The least time between the last node of a batch and the deletion of its entries. In milliseconds. */
  writtenToDeleteMs?: number;
}

/**
 * The only writer of the statistics: folds entries of the journal into them, many at a time. Any number of folds may run at
 * once, and each may end at any moment: the next one finishes its batch.
 */
export function createFold(database: Database, options: FoldOptions = {}) {
  const { minimumAgeMs = MINIMUM_AGE_MS, writtenToDeleteMs = READ_WITHIN_MS } = options;
  const { runtime } = database;
  const cache = createNodeCache();
  /** When this fold first saw an entry, by its own monotonic clock. */
  const firstSeen = new Map<string, number>();

  function ripeOf(entries: readonly JournalEntry[]): JournalEntry[] {
    const now = runtime.monotonic();
    const keys = new Set(entries.map(({ sk }) => sk));
    for (const sk of firstSeen.keys()) if (!keys.has(sk)) firstSeen.delete(sk);
    for (const sk of keys) if (!firstSeen.has(sk)) firstSeen.set(sk, now);
    const isRipe = ({ sk }: JournalEntry) => now - (firstSeen.get(sk) ?? now) >= minimumAgeMs;
    // The newest entries come first: if one of a user is ripe, all older ones are, too.
    return entries.filter(isRipe);
  }

  /** Writes the nodes and all that follows. It does not matter which fold claimed the batch. */
  async function finish(head: Head, batch: readonly JournalEntry[]): Promise<void> {
    const isPast = batch.length < head.batch.length;
    const changed = isPast ? [] : await applyBatch(database, cache, head, batch);
    await runtime.sleep(writtenToDeleteMs);
    await deleteItems(
      database,
      database.tables.directory,
      batch.map(({ sk }) => ({ pk: JOURNAL, sk })),
    );
    await release(database, head.epoch);
    await splitGrown(database, changed);
  }

  /** One step. @returns how many entries it folded, whether it knows others, and how long to wait for more to do */
  async function step(): Promise<{ folded: number; isLast?: boolean; waitMs: number }> {
    const { head, entries } = await readItems(database);
    const ripe = ripeOf(entries);
    if (!isMade(head)) {
      await beginStage(database);
      return { folded: 0, waitMs: head.heldUntil === 0 ? 0 : POLL_MS };
    }
    if (head.batch.length > 0) {
      if (Math.abs(runtime.now() - head.claimedAt) < OWNERS_TIME_MS) return { folded: 0, waitMs: POLL_MS };
      const batch = entriesOf(head, entries);
      await finish(head, batch);
      return { folded: batch.length, waitMs: 0 };
    }
    if (entries.length === 0) return { folded: 0, isLast: true, waitMs: 0 };
    const batch = choose(database, ripe);
    if (batch.length === 0) return { folded: 0, waitMs: POLL_MS };
    const next = {
      batch: batch.map(({ sk }) => sk),
      total: totalOf(head.total, batch),
      tag: tagOf(head.tag, batch),
    };
    if (!(await claim(database, head, next))) return { folded: 0, waitMs: POLL_MS };
    await finish({ ...head, ...next, epoch: head.epoch + 1 }, batch);
    // Entries that were written since have calls of their own.
    return { folded: batch.length, isLast: batch.length === entries.length, waitMs: 0 };
  }

  return {
    /** Folds until no entry that it knows is left, or the time is over. */
    async run(milliseconds: number): Promise<FoldReport> {
      const end = runtime.monotonic() + milliseconds;
      let folded = 0;
      while (runtime.monotonic() < end) {
        const outcome = await step();
        folded += outcome.folded;
        if (outcome.isLast) return { folded, left: 0, oldestMs: 0 };
        if (outcome.waitMs > 0) await runtime.sleep(outcome.waitMs);
      }
      const { entries } = await readItems(database);
      const now = runtime.now();
      const oldest = entries.reduce((least, { at }) => Math.min(least, at), now);
      return { folded, left: entries.length, oldestMs: now - oldest };
    },
  };
}

export type Fold = ReturnType<typeof createFold>;
