import { keepChanges } from '../changes/keep.ts';
import { daysOf, nextPeriods } from '../changes/periods.ts';
import { changesOf, createSums, treeOf } from '../counts/maps.ts';
import { weightOfName } from '../counts/names.ts';
import { bucketsFor } from '../counts/segments.ts';
import type { Database } from '../database.ts';
import type { Change, JournalEntry } from '../journal/entry.ts';
import { claim, type Head, nextFeed, release } from '../journal/head.ts';
import { deleteEntries, readItems } from '../journal/items.ts';
import { READ_WITHIN_MS, tagOf, totalOf } from '../journal/journal.ts';
import { beginStage } from '../journal/newStage.ts';
import { oldestFirst } from '../journal/order.ts';
import { addBatch, type ChangedRow } from '../tree/add.ts';
import { createNodeCache, type NodeCache } from '../tree/cache.ts';
import { type Grown, grownRows, splitGrown } from './split.ts';

/** Entries stay in the journal for this time after the fold has seen them, in milliseconds: by then every index has caught up. */
const MINIMUM_AGE_MS = 2_000;

/** A journal of one read unit costs readers no more than an empty one, and many entries are cheaper than one at a time. */
const REST_MS = 10_000;
const REST_UNITS = 1;

/** A batch that was claimed more recently is left to its fold. That saves money; correctness does not depend on it. */
const OWNERS_TIME_MS = 20_000;

/** About how long the nodes of a batch may take, in milliseconds. The first batch of a fold has few entries: it knows no nodes yet. */
const BATCH_MS = 10_000;
const FIRST_ENTRIES = 1_000;

/** How long segments whose indexes were late are split after a batch, in milliseconds. What is left is split when it grows again. */
const LATE_SPLIT_MS = 2_000;

/** A name whose suffixes have more bytes is long: one of some sixty letters. A batch has long names of at most so many bytes, or one. */
const LONG_NAME_BYTES = 4_000;
const MOST_LONG_BYTES = 600_000;

export interface FoldReport {
  /** How many entries were folded. */
  folded: number;
  /** How many entries are left. */
  left: number;
  /** The age of the oldest entry that is left, by the clock of its writer; 0 if there is none. */
  oldestMs: number;
}

/** About how many bytes an entry changes in the suffixes of names. */
const weightOf = ({ before, after }: JournalEntry): number =>
  before?.lastName === after?.lastName
    ? 0
    : [before, after].reduce((sum, user) => sum + (user ? weightOfName(user) : 0), 0);

/**
 * The oldest entries, but only a few long names: each has a node for every of its suffixes, and others do not wait for that. An
 * entry is never folded before an older one of the same user.
 */
function choose(entries: readonly JournalEntry[], most: number): JournalEntry[] {
  const chosen: JournalEntry[] = [];
  const passed = new Set<number>();
  let long = 0;
  for (const entry of oldestFirst(entries)) {
    const weight = weightOf(entry);
    const isLong = weight > LONG_NAME_BYTES;
    if (passed.has(entry.id) || (isLong && long > 0 && long + weight > MOST_LONG_BYTES)) {
      passed.add(entry.id);
      continue;
    }
    if (isLong) long += weight;
    chosen.push(entry);
    if (chosen.length >= most) break;
  }
  return chosen.toSorted((a, b) => (a.sk < b.sk ? -1 : 1));
}

/** Adds a batch of changes to the statistics. Any fold may repeat it. @returns the rows that may have grown */
async function applyBatch(
  database: Database,
  cache: NodeCache,
  head: Head,
  changes: readonly Change[],
): Promise<ChangedRow[]> {
  const sums = createSums();
  for (const change of changes) sums.add(changesOf(change, head));
  return addBatch(treeOf(database, head.generation), cache, head.epoch, sums.maps());
}

export interface FoldOptions {
  /** How late indexes may be. In milliseconds. */
  minimumAgeMs?: number;
  /** The least time between the last node of a batch and the deletion of its entries. In milliseconds. */
  writtenToDeleteMs?: number;
  /** How long entries that together cost one read unit are left alone. In milliseconds. */
  restMs?: number;
  /** For how many days changes are kept; 0, the default: not at all. */
  historyDays?: number;
}

const oldestOf = (now: number, entries: readonly JournalEntry[]): number =>
  now - entries.reduce((least, { at }) => Math.min(least, at), now);

/**
 * The only writer of the statistics: folds entries of the journal into them, many at a time. Any number of folds may run at
 * once, and each may end at any moment: the next one finishes its batch.
 */
export function createFold(database: Database, options: FoldOptions = {}) {
  const {
    minimumAgeMs = MINIMUM_AGE_MS,
    writtenToDeleteMs = READ_WITHIN_MS,
    restMs = REST_MS,
    historyDays = 0,
  } = options;
  const { runtime } = database;
  const cache = createNodeCache();
  let mostEntries = Math.min(FIRST_ENTRIES, database.sizes.batchEntries);

  /** Writes the nodes and all that follows. Any fold may have claimed the batch. `seen` is when this one saw it, by its clock. */
  async function finish(head: Head, batch: readonly JournalEntry[], seen: number): Promise<void> {
    const isPast = batch.length < head.batch.length;
    const start = runtime.monotonic();
    const grown = isPast ? [] : grownRows(database, await applyBatch(database, cache, head, batch));
    const written = runtime.monotonic();
    const perMs = batch.length / Math.max(1, written - start);
    if (!isPast) {
      mostEntries = Math.min(database.sizes.batchEntries, Math.max(FIRST_ENTRIES, Math.floor(perMs * BATCH_MS)));
      const days = daysOf(head, historyDays);
      if (days > 0) await keepChanges(database, head, batch, days);
    }
    const until = Math.max(written + writtenToDeleteMs, seen + minimumAgeMs);
    let late: readonly Grown[] = [];
    try {
      late = await splitGrown(database, head, grown, until);
    } finally {
      // Also if a split has failed: otherwise it would fail for ever.
      await runtime.sleep(Math.max(0, until - runtime.monotonic()));
      const keys = batch.map(({ sk }) => sk);
      await deleteEntries(database, keys);
      await release(database, head.epoch);
    }
    await splitGrown(database, head, late, runtime.monotonic() + LATE_SPLIT_MS);
  }

  /** One step. @returns how many entries it folded, and whether the others are left to a later call */
  async function step(): Promise<{ folded: number; left?: readonly JournalEntry[] }> {
    const { head, entries, batch: begun, units } = await readItems(database);
    const seen = runtime.monotonic();
    if (!head.isMade) return { folded: 0, ...(!(await beginStage(database)) && { left: entries }) };
    if (head.batch.length > 0) {
      if (Math.abs(runtime.now() - head.claimedAt) < OWNERS_TIME_MS) return { folded: 0, left: entries };
      await finish(head, begun, seen);
      return { folded: begun.length };
    }
    const isAtRest = units <= REST_UNITS && oldestOf(runtime.now(), entries) < restMs;
    if (entries.length === 0 || isAtRest) return { folded: 0, left: entries };
    const batch = choose(entries, mostEntries);
    const written = batch.flatMap(({ after }) => after ?? []);
    const claimed = {
      claimedAt: Math.max(runtime.now(), head.claimedAt),
      feed: nextFeed(database, head, historyDays > 0),
    };
    const next = {
      ...claimed,
      periods: nextPeriods(head, claimed, historyDays),
      batch: batch.map(({ sk }) => sk),
      buckets: bucketsFor(database.sizes, written, head.buckets),
      total: totalOf(head.total, batch),
      tag: tagOf(head.tag, batch),
    };
    // Another fold was faster, or the fold is held.
    if (!(await claim(database, head, next))) return { folded: 0, left: entries };
    const epoch = head.epoch + 1;
    await finish({ ...head, ...next, epoch, lastBatch: epoch, batchBefore: head.lastBatch }, batch, seen);
    return { folded: batch.length };
  }

  return {
    /** Folds until what is left may stay, or is left to another fold, or the time is over. */
    async run(milliseconds: number): Promise<FoldReport> {
      const end = runtime.monotonic() + milliseconds;
      let folded = 0;
      let left: readonly JournalEntry[] | undefined;
      while (!left && runtime.monotonic() < end) {
        const outcome = await step();
        folded += outcome.folded;
        left = outcome.left;
      }
      left ??= (await readItems(database)).entries;
      return { folded, left: left.length, oldestMs: oldestOf(runtime.now(), left) };
    },
  };
}

export type Fold = ReturnType<typeof createFold>;
