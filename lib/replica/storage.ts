import type { DynamoAccess } from '../dynamodb/index.ts';
import type { JournalEntry } from './entry.ts';
import type { Growth, Head, HeadWithBase, Period } from './head.ts';
import type { Limits } from './limits.ts';
import type { Rows } from './rows.ts';

/** Where rows are stored, and what the replica is told of them. */
export interface Storage extends DynamoAccess {
  tables: {
    /** The table of the rows, by id. */
    users: string;
    /** The journal, deltas and bases. */
    directory: string;
  };
  limits: Limits;
  rows: Rows;
  /** Only folds need one. */
  keeper?: Keeper;
}

/** Follows what folds do: keeps the changes of batches, and whatever else a compaction finds out. */
export interface Keeper {
  /** Whether the changes of the next batch are kept. */
  isKeeping(storage: Storage): boolean;
  /** The periods that the head has with the next batch, after a claim. */
  nextPeriods(storage: Storage, head: Head, claimed: Pick<Head, 'feed' | 'claimedAt'>): Period[];
  /** The periods of a head, when its batch has ended. */
  periodsOf(storage: Storage, head: Head): readonly Period[];
  /** Keeps the changes of a batch, the oldest first, before its entries leave the journal. Any fold may repeat it. */
  keep(storage: Storage, head: HeadWithBase, entries: readonly JournalEntry[]): Promise<void>;
  growthOf(entry: JournalEntry): Growth;
  /**
   * Called before a compaction reads the rows.
   *
   * @returns what is called with the names of the members that the next base has, once it is in place
   */
  beforeMerge(storage: Storage): Promise<(names: readonly string[]) => Promise<void>>;
}

/** Keeps nothing. */
export const NO_KEEPER: Keeper = {
  isKeeping: () => false,
  nextPeriods: () => [],
  periodsOf: () => [],
  keep: async () => {},
  growthOf: () => ({ grown: 0, shrunk: 0 }),
  beforeMerge: async () => async () => {},
};
