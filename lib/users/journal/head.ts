import { type Update, update } from '../../dynamodb/update.ts';
import { fault } from '../../errors.ts';
import type { Database } from '../database.ts';
import { USERS_INDEXES } from '../indexes.ts';
import { JOURNAL, packKeys, unpackKeys } from './entry.ts';

/** Sorts before all entries. */
export const HEAD_KEY = '#head';

/** The format version of journal and statistics. */
export const FORMAT = 8;

/** Since this format users and journal are stored as now: the statistics are built again. */
const FIRST_FORMAT = 6;

/** From an epoch on, and from the moment of its claim, batches of a feed were kept for so many days. */
export interface Period {
  epoch: number;
  /** In Unix milliseconds. */
  since: number;
  days: number;
}

/**
 * The first item of the journal: the sums of all writes that are no longer in it. What happens to it, and who may repeat it:
 *
 *          claim             any fold                  any fold                 any fold
 *   free ─────────▶ claimed ─────────▶ written ──────────────────▶ deleted ─────────────▶ free
 *    │ ▲            epoch + 1, batch   nodes have the epoch,       no entry of the batch  release
 *    ▼ │                               changes are kept            is left
 *   held: no claim, but a batch that is under way ends. Then all is compared; a rebuild ends with `switchTo`, epoch + 1
 */
export interface Head {
  /** Whether sums and statistics stand for the users. Not if the head is lost, or has no format, or an earlier one: see newStage.ts. */
  isMade: boolean;
  /** Names the statistics that stand for the users. They are built again under another name. */
  generation: string;
  /** The indexes that this version knows, and whose lists have segments in it. An index that is added later has none until the statistics are built again. */
  indexes: readonly string[];
  /** Hashes of the buckets for values that segments count: see counts/segments.ts. */
  buckets: readonly number[];
  /** Rises with each batch of entries that is folded. */
  epoch: number;
  /** The keys of the entries that are being folded. Empty if no fold is under way. */
  batch: readonly string[];
  /** The number of users, including the batch. */
  total: number;
  /** The sum, modulo 2^48, of the hashes of all entries ever folded, including the batch. */
  tag: number;
  /** When the last batch was claimed, in Unix milliseconds. It never goes back. Another fold takes over an old batch. */
  claimedAt: number;
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

const ALL_INDEXES = USERS_INDEXES.map(({ name }) => name);

/** Indexes as stored: by their short names, because every list reads them. */
export const storedIndexes = (names: readonly string[]): string =>
  USERS_INDEXES.flatMap(({ name, short }) => (names.includes(name) ? [short] : [])).join();

function toIndexes(stored: string): string[] {
  const known = stored.split(',');
  return USERS_INDEXES.flatMap(({ name, short }) => (known.includes(short) ? [name] : []));
}

const storedPeriods = (periods: readonly Period[]): number[] =>
  periods.flatMap(({ epoch, since, days }) => [epoch, since, days]);

const toPeriods = (numbers: readonly number[]): Period[] =>
  Array.from({ length: numbers.length / 3 }, (_, i) => {
    const [epoch = 0, since = 0, days = 0] = numbers.slice(3 * i);
    return { epoch, since, days };
  });

/** @throws {ServiceError} 500 when a later version of the service has written the tables, or one that stored users in another way */
export function toHead(stored: Record<string, unknown> = {}): Head {
  const { format = FIRST_FORMAT, epoch, batches, claimedAt } = stored;
  if (Number(format) < FIRST_FORMAT || Number(format) > FORMAT) {
    throw fault(`The tables have format ${format}; this version knows formats ${FIRST_FORMAT} to ${FORMAT}`);
  }
  const isMade = format === FORMAT;
  // What an earlier format, or a head without one, says of users does not count.
  const item = isMade ? stored : { epoch, batches, claimedAt, segmented: storedIndexes(ALL_INDEXES) };
  const [batchBefore = 0, lastBatch = 0] = (item.batches as number[] | undefined) ?? [];
  return {
    isMade,
    generation: String(item.generation ?? ''),
    indexes: toIndexes(String(item.segmented ?? '')),
    buckets: (item.buckets as number[] | undefined) ?? [],
    epoch: Number(item.epoch ?? 0),
    batch: item.batch ? unpackKeys(item.batch as Uint8Array) : [],
    total: Number(item.total ?? 0),
    tag: Number(item.tag ?? 0),
    claimedAt: Number(item.claimedAt ?? 0),
    feed: String(item.feed ?? ''),
    periods: toPeriods((item.periods as number[] | undefined) ?? []),
    lastBatch,
    batchBefore,
  };
}

/** Changes the head, or makes it. @returns false when the condition does not hold */
export const changeHead = ({ dynamo, tables }: Database, change: Omit<Update, 'table' | 'key'>): Promise<boolean> =>
  update(dynamo, { table: tables.directory, key: { pk: JOURNAL, sk: HEAD_KEY }, ...change });

/**
 * Until `heldUntil`, in Unix milliseconds, no fold claims a batch: statistics are compared or built. It is a minute ahead at most. One that is
 * much later was made by a clock that is ahead. It is ignored, or it would stop folds for as long.
 */
const LONGEST_HOLD_MS = 5 * 60_000;

const IS_FREE =
  'attribute_not_exists(#batch) AND (attribute_not_exists(#heldUntil) OR #heldUntil < :now OR #heldUntil > :longest)';

const timesOf = ({ runtime }: Database) => ({ now: runtime.now(), longest: runtime.now() + LONGEST_HOLD_MS });

/** Up to six random letters and digits. */
const randomName = ({ runtime }: Database): string => Math.floor(runtime.random() * 36 ** 6).toString(36);

/** A name that no generation has had, even before a head was lost: the epoch that it begins with, and a random part. */
export const newGeneration = (database: Database, { epoch }: Pick<Head, 'epoch'>): string =>
  `${epoch + 1}-${randomName(database)}`;

/** The feed that the next batch belongs to: a new one, unless all of its changes have been kept. */
export const nextFeed = (database: Database, { feed }: Pick<Head, 'feed'>, areKept: boolean): string =>
  areKept && feed !== '' ? feed : randomName(database);

/** Whether a generation has been replaced, or will be refused, because a batch or another rebuild came after it was begun. */
export const isOld = (own: string, { generation, epoch }: Pick<Head, 'generation' | 'epoch'>): boolean =>
  own !== generation && Number.parseInt(own, 10) <= epoch;

/** The head of no users. @returns false when there is one already */
export const makeHead = (database: Database, { epoch }: Pick<Head, 'epoch'>): Promise<boolean> =>
  changeHead(database, {
    set: {
      format: FORMAT,
      generation: newGeneration(database, { epoch }),
      segmented: storedIndexes(ALL_INDEXES),
      epoch,
      total: 0,
      tag: 0,
      claimedAt: 0,
    },
    condition: `(attribute_not_exists(#format) OR #format < :format) AND (attribute_not_exists(#epoch) OR #epoch = :epoch) AND ${IS_FREE}`,
    values: timesOf(database),
  });

/** Makes entries the batch. @returns false when another fold was faster, or the fold is held */
export const claim = (
  database: Database,
  head: Head,
  next: Pick<Head, 'batch' | 'buckets' | 'total' | 'tag' | 'claimedAt' | 'feed' | 'periods'>,
): Promise<boolean> =>
  changeHead(database, {
    set: {
      epoch: head.epoch + 1,
      batches: [head.lastBatch, head.epoch + 1],
      batch: packKeys(next.batch),
      // An index that is gone is not counted any more, and may come back.
      segmented: storedIndexes(head.indexes),
      buckets: next.buckets,
      total: next.total,
      tag: next.tag,
      claimedAt: next.claimedAt,
      feed: next.feed,
      periods: storedPeriods(next.periods),
    },
    condition: `#format = :format AND #epoch = :read AND ${IS_FREE}`,
    values: { format: FORMAT, read: head.epoch, ...timesOf(database) },
  });

/** Ends a batch whose entries are deleted. @returns false when another fold has ended it */
export const release = (database: Database, epoch: number): Promise<boolean> =>
  changeHead(database, {
    remove: ['batch'],
    condition: '#epoch = :read AND attribute_exists(#batch)',
    values: { read: epoch },
  });

/**
 * Makes a generation the present one, after all of its nodes are written: they have the epoch after the head's.
 *
 * @returns false when a fold has run since the head was read, so the generation lacks a batch, or the fold is no longer held
 */
export const switchTo = (
  database: Database,
  head: Head,
  next: Pick<Head, 'generation' | 'buckets' | 'total' | 'tag' | 'feed'>,
): Promise<boolean> =>
  changeHead(database, {
    set: {
      format: FORMAT,
      generation: next.generation,
      segmented: storedIndexes(ALL_INDEXES),
      buckets: next.buckets,
      epoch: head.epoch + 1,
      total: next.total,
      tag: next.tag,
      feed: next.feed,
    },
    condition:
      '(attribute_not_exists(#epoch) OR #epoch = :read) AND attribute_not_exists(#batch) AND #heldUntil > :now',
    values: { read: head.epoch, now: database.runtime.now() },
  });
