import { writeDelta } from './deltas.ts';
import type { JournalEntry } from './entry.ts';
import type { HeadWithBase } from './head.ts';
import { claim, nextFeed, release } from './headChanges.ts';
import { deleteEntries, newestOf, readItems, readToClaim, splitBy, tagOf } from './journal.ts';
import { sizeOf } from './limits.ts';
import { ageOfOldest, oldestFirst } from './oldestFirst.ts';
import { beginLists } from './readAnew.ts';
import { countSetAside } from './setAside.ts';
import { NO_KEEPER, type Storage } from './storage.ts';
import { createUpkeep } from './upkeep.ts';

/** By how much DynamoDB's indexes may be late, in milliseconds: the cursor variant reads them. */
const MINIMUM_AGE_MS = 2_000;

/**
 * Readers that read the journal within this time find the entries of a batch in it, or know the next epoch. In milliseconds. So a fold waits as long after
 * it has seen them, and after it has claimed them.
 */
const READ_WITHIN_MS = 1_000;

/** A journal of one read unit in each part costs readers no more than an empty one, and many entries are cheaper than one at a time. */
const REST_MS = 10_000;
const REST_UNITS = 1;

/** A batch that was claimed more recently is left to its fold. That saves money; correctness does not depend on it. */
const OWNERS_TIME_MS = 20_000;

export interface FoldReport {
  /** How many entries were folded. */
  folded: number;
  /** How many entries are left. */
  left: number;
  /** The age of the oldest entry that is left, by the clock of its writer; 0 if there is none. */
  oldestMs: number;
  /** The share of the largest base that the present one has, in percent. */
  sizePercent: number;
  /** How many stored items could not be applied. */
  broken: number;
}

export interface FoldOptions {
  /** How late indexes may be. In milliseconds. */
  minimumAgeMs?: number;
  /** How long a reader may take, in milliseconds. */
  readWithinMs?: number;
  /** How long entries that together cost one read unit are left alone. In milliseconds. */
  restMs?: number;
}

/** A batch, and when a fold saw its entries, by its clock. */
interface Batch {
  head: HeadWithBase;
  entries: readonly JournalEntry[];
  seen: number;
}

/** What a step of the fold came to. */
interface Step {
  folded: number;
  /** The entries that are left to a later call. Undefined: there is more to do. */
  left?: readonly JournalEntry[];
}

/**
 * Folds entries of the journal into deltas, many at a time, and deltas into the base. Any number of folds may run at once, and each may
 * end at any moment: the next one finishes its batch.
 */
export function createFold(database: Storage, options: FoldOptions = {}) {
  const { minimumAgeMs = MINIMUM_AGE_MS, readWithinMs = READ_WITHIN_MS, restMs = REST_MS } = options;
  const { runtime, limits, keeper = NO_KEEPER } = database;
  const keepUp = createUpkeep(database);
  /** Of the largest base that fits, by the last head. */
  let sizePercent = 0;

  /** A base that was read anew has all entries of the batch that a new head begins with, and a merge may have been faster. */
  const hasBase = ({ base, epoch }: HeadWithBase): boolean => base.epoch >= epoch;

  /** Writes the delta and keeps the changes, then deletes the entries. Any fold may have claimed the batch. */
  async function finish({ head, entries, seen }: Batch): Promise<void> {
    const claimed = runtime.monotonic();
    // If an entry is missing, another fold deletes them: the delta has been written, and the changes are kept.
    const isWhole = entries.length === head.batch.length;
    if (isWhole && !hasBase(head)) await writeDelta(database, head.epoch, entries, head.base.users);
    if (isWhole || hasBase(head)) await keeper.keep(database, head, oldestFirst(entries));
    const until = Math.max(seen + minimumAgeMs + readWithinMs, claimed + readWithinMs);
    await runtime.sleep(Math.max(0, until - runtime.monotonic()));
    // Whoever finds a write in the journal finds all later ones of its user.
    const newest = new Set(newestOf(entries));
    const older = entries.filter((entry) => !newest.has(entry));
    for (const some of [older, [...newest]]) await deleteEntries(database, some);
    await release(database, { ...head, periods: keeper.periodsOf(database, head) });
  }

  /** Claims the oldest entries. @returns undefined if another fold was faster */
  async function claimOldest(head: HeadWithBase, entries: readonly JournalEntry[], seen: number) {
    const chosen = new Set(oldestFirst(entries).slice(0, limits.batchEntries));
    const batch = entries.filter((entry) => chosen.has(entry));
    const claimed = {
      claimedAt: Math.max(runtime.now(), head.claimedAt),
      feed: nextFeed(database, head, keeper.isKeeping(database)),
    };
    const next = {
      ...claimed,
      periods: keeper.nextPeriods(database, head, claimed),
      batch: batch.map(({ sk }) => sk),
      tag: tagOf(head.tag, batch),
      changed: head.changed + newestOf(batch).length,
      grown: head.grown + batch.reduce((sum, entry) => sum + keeper.growthOf(entry), 0),
    };
    if (!(await claim(database, head, next))) return undefined;
    const epoch = head.epoch + 1;
    return { head: { ...head, ...next, epoch, lastBatch: epoch, batchBefore: head.lastBatch }, entries: batch, seen };
  }

  async function step(): Promise<Step> {
    const { head: read, entries, claimable, parts, units } = await readToClaim(database);
    const seen = runtime.monotonic();
    if (!read?.base) {
      await beginLists(database);
      return { folded: 0 };
    }
    const head = { ...read, base: read.base };
    sizePercent = (100 * sizeOf(head.base)) / limits.baseBytes;
    if (head.batch.length > 0) {
      const isOwned = Math.abs(runtime.now() - head.claimedAt) < OWNERS_TIME_MS && !hasBase(head);
      if (isOwned) return { folded: 0, left: entries };
      const { batch } = splitBy(head, entries);
      await finish({ head, entries: batch, seen });
      return { folded: batch.length };
    }
    if (await keepUp(head, entries)) return { folded: 0 };
    const isAtRest = units <= REST_UNITS * parts && ageOfOldest(runtime.now(), entries) < restMs;
    if (claimable.length === 0 || isAtRest) return { folded: 0, left: entries };
    const batch = await claimOldest(head, claimable, seen);
    // Another fold was faster.
    if (!batch) return { folded: 0, left: entries };
    await finish(batch);
    return { folded: batch.entries.length };
  }

  return {
    /** Folds until what is left may stay, or is left to another fold, or the time is over. */
    async run(milliseconds: number): Promise<FoldReport> {
      const end = runtime.monotonic() + milliseconds;
      let folded = 0;
      let last: Step = { folded: 0 };
      while (!last.left && runtime.monotonic() < end) {
        last = await step();
        folded += last.folded;
      }
      const left = last.left ?? (await readItems(database)).entries;
      const oldestMs = ageOfOldest(runtime.now(), left);
      return { folded, left: left.length, oldestMs, sizePercent, broken: countSetAside() };
    },
  };
}
