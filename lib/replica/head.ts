import { fault } from '../ground/index.ts';
import { unpackKeys } from './entry.ts';

/** Sorts before all entries. */
export const HEAD_KEY = '#head';

/** The format of the Directory table. */
export const FORMAT = 9;

/** The format where the journal has several parts: version 2.1 would read the first one alone. */
export const FORMAT_OF_PARTS = 10;

/** From an epoch on, and from the moment of its claim, batches of a feed were kept for this number of days. */
export interface Period {
  epoch: number;
  /** In Unix milliseconds. */
  since: number;
  days: number;
}

/** The stored users of a moment: all that were written until an epoch, and perhaps later. It never changes. */
export interface StoredBase {
  /** `<epoch>-<random>`: with it the keys of its parts begin. */
  name: string;
  epoch: number;
  users: number;
  parts: number;
  checksum: number;
  /** Its bytes in memory, before anything is computed from them. */
  unpacked: number;
  /** When its users were read, in Unix milliseconds. */
  at: number;
  /** The fields that it has, and their kinds, as JSON: those that the version knew that wrote it. */
  kinds: string;
  /**
   * Of an index of the name, which stands in place of stored rows: the epoch of the last batch that it shows, as all before. 0 while there is none.
   * The epoch of the base stays that of its beginning.
   */
  indexed?: number;
}

/** An index that is being made, beside the base that lists are made of meanwhile. */
export interface IndexCopy extends Pick<StoredBase, 'name' | 'epoch' | 'at' | 'kinds'> {
  /** The key of the last row of the table that it has, in the order of a Scan. Absent at the beginning. */
  after?: Readonly<Record<string, unknown>> | undefined;
  /** How many rows it has. */
  users: number;
  /** When it has all rows: the epoch of the last batch that it shows. */
  indexed?: number | undefined;
}

/**
 * By how many bytes the next base is longer, and shorter, at most. Both are bounds: equal values of many rows are in it once, so one that is brought may be
 * there already, and one that a row no longer has may stay.
 */
export interface Growth {
  /** The bytes of the values that writes have brought to their rows. */
  grown: number;
  /** The bytes of the values that writes have taken from their rows. */
  shrunk: number;
}

/** Of folds: the batch that the last claim took (fold.ts). */
interface Claimed {
  /** Rises with each batch. It begins with a moment, in Unix milliseconds, so a head that was lost begins above all before. */
  epoch: number;
  /** The keys of the entries that are being folded. Empty if no fold is under way. */
  batch: readonly string[];
  /** The sum, modulo 2^48, of the hashes of all entries ever folded, including the batch. */
  tag: number;
  /** When the last batch was claimed, in Unix milliseconds. It never goes back. Another fold takes over an old batch. */
  claimedAt: number;
}

/** Of bases: the last one, and what folds have added since. A merge or a rebuild replaces it (merging.ts, rebuild.ts). */
interface Based extends Growth {
  /** A random name. Another one says that all users were read anew. */
  generation: string;
  /** Undefined until the users of a new head have been read. */
  base: StoredBase | undefined;
  /** How many users the batches since the base have changed. */
  changed: number;
}

/** Of the follower, which makes an index (following.ts). */
interface Following {
  copy: IndexCopy | undefined;
}

/** Of the maintenance, which does what others have asked for (maintenance.ts). In Unix milliseconds; 0 for never. */
interface Asked {
  /** Since this moment the users should be read anew. */
  repairAsked: number;
  /** Since this moment what is erased should leave the base. */
  mergeAsked: number;
  /** Since this moment the journal should lie in more parts. */
  partsAsked: number;
}

/** `long`: the journal outruns its readers. `full`: the next base would not fit into the memory of functions that list. */
export type Pressure = 'long' | 'full';

/** Of the maintenance, for writers: they read it before a write (`readPressure`). */
export interface ForWriters {
  /** In how many parts the journal lies. */
  parts: number;
  /** Why writes are slowed, or refused. */
  pressure: Pressure | undefined;
}

/** Of the keeper of changes, which is told of each batch (storage.ts). */
interface Kept {
  /**
   * The feed of changes that the last batch belongs to. Another one begins when changes were not kept, and when tables are restored
   * or lose their head, which go back in time. Empty before the first batch.
   */
  feed: string;
  /** For how long its batches are kept: as many as say which of them have expired. */
  periods: readonly Period[];
  /** The epoch of the last batch, which may be under way, and of the one before it; 0 if there was none. */
  lastBatch: number;
  batchBefore: number;
}

/**
 * The first item of the journal. These things happen to it, and these writers may repeat them:
 *
 *          claim             any fold              any fold                   any fold
 *   free ─────────▶ claimed ─────────▶ written ──────────────────▶ deleted ─────────────▶ free
 *          epoch + 1, batch   the delta is        no entry of the     release
 *                             written, changes    batch is left
 *                             are kept
 *
 * Beside that a merge puts the next base in the place of the one that it began with, and a repair puts a base of users who were read anew:
 * of another generation, so that no reader goes on with what it has. The number of parts rises, and never falls: who writes may know an earlier one.
 */
export interface Head extends Claimed, Based, Following, Asked, ForWriters, Kept {}

const toPeriods = (numbers: readonly number[]): Period[] =>
  Array.from({ length: numbers.length / 3 }, (_, i) => {
    const [epoch = 0, since = 0, days = 0] = numbers.slice(3 * i);
    return { epoch, since, days };
  });

type Stored = Record<string, unknown>;

function refuseOthers({ format }: Stored): void {
  if (format !== FORMAT && format !== FORMAT_OF_PARTS)
    throw fault(`Tables have format ${format}, not ${FORMAT} or ${FORMAT_OF_PARTS}`);
}

const toClaimed = (item: Stored): Claimed => ({
  epoch: Number(item.epoch),
  batch: item.batch ? unpackKeys(item.batch as Uint8Array) : [],
  tag: Number(item.tag),
  claimedAt: Number(item.claimedAt),
});

const toBased = (item: Stored): Based => ({
  generation: String(item.line),
  base: item.base as StoredBase | undefined,
  changed: Number(item.changed ?? 0),
  // Versions before counted both together.
  grown: Math.max(0, Number(item.grown ?? 0)),
  shrunk: Number(item.shrunk ?? 0),
});

const toAsked = (item: Stored): Asked => ({
  repairAsked: Number(item.repairAsked ?? 0),
  mergeAsked: Number(item.mergeAsked ?? 0),
  partsAsked: Number(item.partsAsked ?? 0),
});

/** A journal without a head lies in one part. */
export const toForWriters = (item: Stored = {}): ForWriters => ({
  parts: Number(item.parts ?? 1),
  pressure: item.pressure as Pressure | undefined,
});

function toKept(item: Stored): Kept {
  const [batchBefore = 0, lastBatch = 0] = (item.batches as number[] | undefined) ?? [];
  const periods = toPeriods((item.periods as number[] | undefined) ?? []);
  return { feed: String(item.feed ?? ''), periods, lastBatch, batchBefore };
}

/** @throws {ServiceError} 500 when another version of the service has written the tables */
export function toHead(item: Stored): Head {
  refuseOthers(item);
  const copy = item.copy as IndexCopy | undefined;
  return { ...toClaimed(item), ...toBased(item), copy, ...toAsked(item), ...toForWriters(item), ...toKept(item) };
}

export type HeadWithBase = Head & { base: StoredBase };

/** Whether an index stands in the place of stored rows. */
export const isIndex = ({ indexed }: StoredBase): boolean => indexed !== undefined;
