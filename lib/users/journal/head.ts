import { type Update, update } from '../../dynamodb/update.ts';
import { fault } from '../../errors.ts';
import type { Database } from '../database.ts';
import { padded } from '../ids.ts';
import { EARLIER } from '../userItem.ts';
import { JOURNAL, packKeys, unpackKeys } from './entry.ts';

/** Sorts before all entries. */
export const HEAD_KEY = '#head';

/** The format of the Directory table. Those before were of versions before 2.0.0. */
export const FORMAT = 9;

/** From an epoch on, and from the moment of its claim, batches of a feed were kept for so many days. */
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
}

/**
 * The first item of the journal. What happens to it, and who may repeat it:
 *
 *          claim             any fold              any fold                   any fold
 *   free ─────────▶ claimed ─────────▶ written ──────────────────▶ deleted ─────────────▶ free
 *          epoch + 1, batch   the delta is        no entry of the     release
 *                             written, changes    batch is left
 *                             are kept
 *
 * Beside that a merge puts the next base in the place of the one that it began with, and a repair puts a base of users who were read anew:
 * with another line, so that no reader goes on with what it has.
 */
export interface Head {
  /** Rises with each batch. It begins with a moment, in Unix milliseconds, so a head that was lost begins above all before. */
  epoch: number;
  /** The keys of the entries that are being folded. Empty if no fold is under way. */
  batch: readonly string[];
  /** The sum, modulo 2^48, of the hashes of all entries ever folded, including the batch. */
  tag: number;
  /** When the last batch was claimed, in Unix milliseconds. It never goes back. Another fold takes over an old batch. */
  claimedAt: number;
  /** A random name. Another one says that all users were read anew. */
  line: string;
  /** Undefined until the users of a new head have been read. */
  base: StoredBase | undefined;
  /** How many users the batches since the base have changed, and how many of them. */
  changed: number;
  /** Since this moment the users should be read anew; since that one, what is erased should leave the base. In Unix milliseconds; 0 for never. */
  repairAsked: number;
  mergeAsked: number;
  /** Why writes are slowed, or refused. */
  pressure: Pressure | undefined;
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

/** `long`: the journal outruns its readers. `full`: the next base would not fit into the memory of functions that list. */
export type Pressure = 'long' | 'full';

const storedPeriods = (periods: readonly Period[]): number[] =>
  periods.flatMap(({ epoch, since, days }) => [epoch, since, days]);

const toPeriods = (numbers: readonly number[]): Period[] =>
  Array.from({ length: numbers.length / 3 }, (_, i) => {
    const [epoch = 0, since = 0, days = 0] = numbers.slice(3 * i);
    return { epoch, since, days };
  });

type Stored = Record<string, unknown>;

function refuseOthers({ format }: Stored): void {
  if (Number(format) < FORMAT) throw fault(EARLIER);
  if (Number(format) > FORMAT) throw fault(`The tables have format ${format}; this version knows format ${FORMAT}`);
}

/** @throws {ServiceError} 500 when another version of the service has written the tables */
export function toHead(item: Stored): Head {
  refuseOthers(item);
  const [batchBefore = 0, lastBatch = 0] = (item.batches as number[] | undefined) ?? [];
  return {
    epoch: Number(item.epoch),
    batch: item.batch ? unpackKeys(item.batch as Uint8Array) : [],
    tag: Number(item.tag),
    claimedAt: Number(item.claimedAt),
    line: String(item.line),
    base: item.base as StoredBase | undefined,
    changed: Number(item.changed ?? 0),
    repairAsked: Number(item.repairAsked ?? 0),
    mergeAsked: Number(item.mergeAsked ?? 0),
    pressure: item.pressure as Pressure | undefined,
    feed: String(item.feed ?? ''),
    periods: toPeriods((item.periods as number[] | undefined) ?? []),
    lastBatch,
    batchBefore,
  };
}

/** Changes the head, or makes it. @returns false when the condition does not hold */
export const changeHead = ({ dynamo, tables }: Database, change: Omit<Update, 'table' | 'key'>): Promise<boolean> =>
  update(dynamo, { table: tables.directory, key: { pk: JOURNAL, sk: HEAD_KEY }, ...change });

/** Up to six random letters and digits. */
const randomName = ({ runtime }: Database): string => Math.floor(runtime.random() * 36 ** 6).toString(36);

/** The name of a base that nobody has had: also of two that are made at once. */
export const newBaseName = (database: Database, epoch: number): string => `${padded(epoch)}-${randomName(database)}`;

/** The feed that the next batch belongs to: a new one, unless all of its changes have been kept. */
export const nextFeed = (database: Database, { feed }: Pick<Head, 'feed'>, areKept: boolean): string =>
  areKept && feed !== '' ? feed : randomName(database);

/**
 * The head of a new stage, or the one after a lost head: without a base. All entries that are in the journal are its batch: a fold from
 * before may still be deleting some of them. @returns false when there is one already
 */
export const makeHead = (database: Database, epoch: number, batch: readonly string[]): Promise<boolean> =>
  changeHead(database, {
    set: {
      format: FORMAT,
      epoch,
      batches: [0, epoch],
      ...(batch.length > 0 && { batch: packKeys(batch) }),
      tag: 0,
      claimedAt: database.runtime.now(),
      line: randomName(database),
      feed: randomName(database),
    },
    condition: 'attribute_not_exists(#format)',
  });

/** Makes entries the batch. @returns false when another fold was faster */
export const claim = (
  database: Database,
  head: Head,
  next: Pick<Head, 'batch' | 'tag' | 'claimedAt' | 'feed' | 'periods' | 'changed'>,
): Promise<boolean> =>
  changeHead(database, {
    set: {
      epoch: head.epoch + 1,
      batches: [head.lastBatch, head.epoch + 1],
      batch: packKeys(next.batch),
      tag: next.tag,
      claimedAt: next.claimedAt,
      feed: next.feed,
      periods: storedPeriods(next.periods),
      changed: next.changed,
    },
    condition: '#line = :line AND #epoch = :read AND attribute_not_exists(#batch)',
    values: { line: head.line, read: head.epoch },
  });

/** Ends a batch whose entries are deleted, and notes how long it is kept: nobody has claimed the first one of a head. @returns false when another fold has ended it */
export const release = (database: Database, { epoch, periods }: Pick<Head, 'epoch' | 'periods'>): Promise<boolean> =>
  changeHead(database, {
    set: { periods: storedPeriods(periods) },
    remove: ['batch'],
    condition: '#epoch = :read AND attribute_exists(#batch)',
    values: { read: epoch },
  });

/** Puts the next base in the place of the one that it was merged from. @returns false when that one has been replaced */
export const putMerged = (database: Database, before: StoredBase, base: StoredBase): Promise<boolean> =>
  changeHead(database, {
    set: { base, changed: 0 },
    condition: '#base.#name = :before',
    values: { before: before.name },
  });

/**
 * Puts a base of users who were read anew, with a new line.
 *
 * @param noted the line before they were read
 * @param isNewFeed whether the feed of changes begins again, because it lacks some
 * @returns false when the head was made anew since, or has a later base
 */
export const putRead = (
  database: Database,
  noted: Pick<Head, 'line'>,
  base: StoredBase,
  isNewFeed = false,
): Promise<boolean> =>
  changeHead(database, {
    set: { base, changed: 0, line: randomName(database), ...(isNewFeed && { feed: randomName(database) }) },
    condition: '#line = :noted AND (attribute_not_exists(#base) OR #base.#epoch <= :until)',
    values: { noted: noted.line, until: base.epoch },
  });

const EXISTS = 'attribute_exists(#format)';

/** Asks for all users to be read anew: something that is stored of them does not hold. */
export const askForRepair = (database: Database): Promise<boolean> =>
  changeHead(database, { set: { repairAsked: database.runtime.now() }, condition: EXISTS });

/** Asks for a base without what has been erased. */
export const askForMerge = (database: Database): Promise<boolean> =>
  changeHead(database, { set: { mergeAsked: database.runtime.now() }, condition: EXISTS });

export const notePressure = (database: Database, pressure: Pressure | undefined): Promise<boolean> =>
  changeHead(database, {
    ...(pressure ? { set: { pressure } } : { remove: ['pressure'] }),
    condition: EXISTS,
  });
