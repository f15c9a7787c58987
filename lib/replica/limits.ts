import { KEPT_A_USER } from '../columns/index.ts';

/** The bounds of all that grows. Tests lower these limits, so that small data reaches them. */
export interface Limits {
  /** The largest number of journal entries in one batch of the fold. The head has their keys: about six bytes each. */
  batchEntries: number;
  /** The most entries that a new head has as its batch. Its item has 400 KB. */
  headEntries: number;
  /** The largest part of a delta before it is compressed, in characters: those that compress worst take two bytes each, and an item has 400 KB. */
  deltaCharacters: number;
  /** From this number of rows on, deltas have copies under several keys (lib/replica/deltas.ts), and merges come sooner. Fewer keys than before would leave copies for ever. */
  manyUsers: number;
  deltaKeys: number;
  /** The largest part of a base, in bytes. DynamoDB takes items of 400 KB. */
  partBytes: number;
  /**
   * The partition keys of the parts of bases: they spread readers and writers over the physical partitions, which are four in a new table. Of
   * a base of 69 parts, a million users, 64 keys put some 31 % into the fullest one, 16 keys 37 %. Fewer than before would hide parts.
   */
  basePartitions: number;
  /** The largest base whose columns fit into the memory of a function that lists, in bytes. Creates are refused before. */
  baseBytes: number;
  /**
   * Rows are merged into the next base when this share of them has changed since the last one, and at least `mergeLeast`; of many users the other
   * share. A merge and its sweep take 50 write units for each 1,000 users, so 1 for each change at 5 %, 2 at 2.5 %; of
   * fifty new containers at a million users each per cent costs the last one 0.4 to 0.6 seconds (docs/decisions/0035-copies-of-deltas.md).
   */
  mergeShare: number;
  mergeShareOfMany: number;
  mergeLeast: number;
  /** Steps of a merge that a container makes in a request at most, if its time is not over before: lib/replica/merging.ts. */
  mergeSteps: number;
  /** A journal with more entries outruns its readers: writers are slowed. One counts as many as it has kilobytes. */
  journalEntries: number;
  /** In how many parts the journal may lie: a setting of the stage. */
  journalParts: number;
  /** How many times a reader begins again, because a fold or a merge was faster, before it answers 503. */
  readings: number;
}

/**
 * The columns of a base in bytes as they are stored, times this, are what it takes: with what is computed from them, the users that have
 * changed, and the next base beside it, while the last one is asked. Bases of one and three million users were measured, with 5 % less memory
 * than this says and with the options that Lambda has for Node (bench/README.md).
 */
const BYTES_OF_A_BYTE = 9;

/**
 * The size of a base, to compare with the largest one, in bytes: its columns as they are stored, and all that questions may keep of attributes, which follows
 * from the number of its users.
 */
export const sizeOf = ({ unpacked, users }: { readonly unpacked: number; readonly users: number }): number =>
  unpacked + Math.ceil((KEPT_A_USER * users) / BYTES_OF_A_BYTE);

/** The memory that a function takes besides, in megabytes. */
const OTHER_MEGABYTES = 200;

/** No column of a larger base could be opened. */
const MOST_BASE_BYTES = 900_000_000;

/** The largest base for a function with this number of megabytes. */
export const baseBytesFor = (megabytes: number): number =>
  Math.min(MOST_BASE_BYTES, Math.floor(((megabytes - OTHER_MEGABYTES) * 1_000_000) / BYTES_OF_A_BYTE));

/** The memory in megabytes with which Lambda gives a function a whole processor. */
export const MEGABYTES = 1_769;

export const LIMITS: Limits = {
  batchEntries: 4_000,
  headEntries: 20_000,
  deltaCharacters: 150_000,
  manyUsers: 500_000,
  deltaKeys: 16,
  partBytes: 380_000,
  basePartitions: 64,
  baseBytes: baseBytesFor(MEGABYTES),
  mergeShare: 0.05,
  mergeShareOfMany: 0.025,
  mergeLeast: 2_000,
  mergeSteps: 64,
  journalEntries: 20_000,
  journalParts: 1,
  readings: 20,
};

/** From this share of the largest base on nobody is created any more. */
export const FULL_SHARE = 0.95;

/** The number of changed rows that are merged into a base. @param users the rows of the base */
export const mergedFrom = ({ mergeShare, mergeShareOfMany, mergeLeast, manyUsers }: Limits, users: number): number =>
  Math.max(mergeLeast, (users < manyUsers ? mergeShare : mergeShareOfMany) * users);
