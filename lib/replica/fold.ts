import { writeDelta } from './deltas.ts';
import type { JournalEntry } from './entry.ts';
import type { Growth, HeadWithBase } from './head.ts';
import { claim, nextFeed, release } from './headChanges.ts';
import { deleteEntries, newestOf, READ_WITHIN_MS, readClaimable, readJournal, splitBy, tagOf } from './journal.ts';
import { createMaintenance, type Upkeep } from './maintenance.ts';
import { ageOfOldest, oldestFirst } from './oldestFirst.ts';
import { countQuarantined } from './quarantine.ts';
import { type Keeper, NO_KEEPER, type Storage } from './storage.ts';

/** By how much DynamoDB's indexes may be late, in milliseconds: the cursor variant reads them. */
const MINIMUM_AGE_MS = 2_000;

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
  /** For how long an index has been behind, in milliseconds. Undefined where lists come from the replica. */
  behindMs?: number;
}

export interface FoldOptions {
  /** How late indexes may be. In milliseconds. */
  minimumAgeMs?: number;
  /** How long a reader may take, in milliseconds. */
  readWithinMs?: number;
  /** How long entries that together cost one read unit are left alone. In milliseconds. */
  restMs?: number;
}

/** A process that folds, and its options. */
interface Fold extends Required<FoldOptions> {
  readonly storage: Storage;
  readonly keeper: Keeper;
  readonly upkeep: Upkeep;
  /** Of the largest base that fits, by the last head. */
  sizePercent: number;
}

/** A batch, and when a fold saw its entries, by its clock. */
interface Batch {
  head: HeadWithBase;
  entries: readonly JournalEntry[];
  seen: number;
}

/** The outcome of a step of the fold. */
interface Step {
  folded: number;
  /** The entries that are left to a later call. Undefined: there is more to do. */
  left?: readonly JournalEntry[];
}

/** A base that was rebuilt has all entries of the batch that a new head begins with, and a merge may have been faster. */
const hasBase = ({ base, epoch }: HeadWithBase): boolean => base.epoch >= epoch;

/** Puts the delta and keeps the changes. If an entry is missing, another fold has done both, and deletes entries. */
async function keepBatch({ storage, keeper }: Fold, { head, entries }: Batch): Promise<void> {
  const isWhole = entries.length === head.batch.length;
  if (isWhole && !hasBase(head)) await writeDelta(storage, head.epoch, entries, head.base.users);
  if (isWhole || hasBase(head)) await keeper.keep(storage, head, oldestFirst(entries));
}

/**
 * Waits until no reader needs the entries any more. One who has read the journal without the claim has finished a second after it; and a second
 * after they were seen, and the minimum age, no index lacks them.
 */
async function waitForReaders({ storage, ...wait }: Fold, seen: number, claimed: number): Promise<void> {
  const { monotonic, sleep } = storage.runtime;
  const until = Math.max(seen + wait.minimumAgeMs + wait.readWithinMs, claimed + wait.readWithinMs);
  await sleep(Math.max(0, until - monotonic()));
}

/** A reader who finds a write in the journal finds all later ones of its row: older entries are deleted first. */
async function deleteBatch(storage: Storage, entries: readonly JournalEntry[]): Promise<void> {
  const newest = new Set(newestOf(entries));
  const older = entries.filter((entry) => !newest.has(entry));
  for (const some of [older, [...newest]]) await deleteEntries(storage, some);
}

/** Any fold may have claimed the batch, and any number may finish it. */
async function finish(fold: Fold, batch: Batch): Promise<void> {
  const { storage, keeper } = fold;
  const { head, entries, seen } = batch;
  const claimed = storage.runtime.monotonic();
  await keepBatch(fold, batch);
  await waitForReaders(fold, seen, claimed);
  await deleteBatch(storage, entries);
  await release(storage, { ...head, periods: keeper.periodsOf(storage, head) });
}

const grownBy = (before: Growth, others: readonly Growth[]): Growth =>
  others.reduce((sum, { grown, shrunk }) => ({ grown: sum.grown + grown, shrunk: sum.shrunk + shrunk }), {
    grown: before.grown,
    shrunk: before.shrunk,
  });

/** Claims the oldest entries. @returns undefined if another fold was faster */
async function claimOldest({ storage, keeper }: Fold, { head, entries, seen }: Batch): Promise<Batch | undefined> {
  const { runtime, limits } = storage;
  const chosen = new Set(oldestFirst(entries).slice(0, limits.batchEntries));
  const batch = entries.filter((entry) => chosen.has(entry));
  const claimed = {
    claimedAt: Math.max(runtime.now(), head.claimedAt),
    feed: nextFeed(storage, head, keeper.isKeeping(storage)),
  };
  const next = {
    ...claimed,
    periods: keeper.nextPeriods(storage, head, claimed),
    batch: batch.map(({ sk }) => sk),
    tag: tagOf(head.tag, batch),
    changed: head.changed + newestOf(batch).length,
    ...grownBy(head, batch.map(keeper.growthOf)),
  };
  if (!(await claim(storage, head, next))) return undefined;
  const epoch = head.epoch + 1;
  return { head: { ...head, ...next, epoch, lastBatch: epoch, batchBefore: head.lastBatch }, entries: batch, seen };
}

/** Finishes the batch of a head, unless its fold is still at work. */
async function takeOver(fold: Fold, { head, entries, seen }: Batch): Promise<Step> {
  const isOwned = Math.abs(fold.storage.runtime.now() - head.claimedAt) < OWNERS_TIME_MS && !hasBase(head);
  if (isOwned) return { folded: 0, left: entries };
  const { batch } = splitBy(head, entries);
  await finish(fold, { head, entries: batch, seen });
  return { folded: batch.length };
}

async function step(fold: Fold): Promise<Step> {
  const { storage, upkeep, restMs } = fold;
  const { runtime } = storage;
  const { head: read, entries, claimable, parts, units } = await readClaimable(storage);
  const seen = runtime.monotonic();
  if (!read?.base) {
    await upkeep.begin();
    return { folded: 0 };
  }
  const head = { ...read, base: read.base };
  fold.sizePercent = upkeep.sizeOf(head);
  if (head.batch.length > 0) return takeOver(fold, { head, entries, seen });
  if (await upkeep.maintain(head, entries)) return { folded: 0 };
  const isAtRest = units <= REST_UNITS * parts && ageOfOldest(runtime.now(), entries) < restMs;
  const left = { folded: 0, left: entries };
  if (claimable.length === 0 || isAtRest) return left;
  const batch = await claimOldest(fold, { head, entries: claimable, seen });
  // Another fold was faster.
  if (!batch) return left;
  await finish(fold, batch);
  return { folded: batch.entries.length };
}

/**
 * Folds entries of the journal into deltas, many at a time, and deltas into the base. Any number of folds may run at once, and each may
 * end at any moment: the next one finishes its batch.
 */
export function createFoldWith(storage: Storage, upkeep: Upkeep, options: FoldOptions = {}) {
  const { minimumAgeMs = MINIMUM_AGE_MS, readWithinMs = READ_WITHIN_MS, restMs = REST_MS } = options;
  const { runtime, keeper = NO_KEEPER } = storage;
  const fold: Fold = { storage, keeper, upkeep, minimumAgeMs, readWithinMs, restMs, sizePercent: 0 };
  return {
    /** Folds until what is left may stay, or is left to another fold, or the time is over. */
    async run(milliseconds: number): Promise<FoldReport> {
      const end = runtime.monotonic() + milliseconds;
      let folded = 0;
      let last: Step = { folded: 0 };
      while (!last.left && runtime.monotonic() < end) {
        last = await step(fold);
        folded += last.folded;
      }
      const left = last.left ?? (await readJournal(storage)).entries;
      const oldestMs = ageOfOldest(runtime.now(), left);
      return { folded, left: left.length, oldestMs, sizePercent: fold.sizePercent, broken: countQuarantined() };
    },
  };
}

/** The fold of a stage whose lists come from the replica. */
export const createFold = (storage: Storage, options?: FoldOptions) =>
  createFoldWith(storage, createMaintenance(storage), options);
