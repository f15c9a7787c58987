/** The changes of the head, each in one conditional update, which any process may repeat. */
import { type Update, update } from '../dynamodb/index.ts';
import { JOURNAL, packKeys, padded } from './entry.ts';
import {
  FORMAT,
  FORMAT_OF_PARTS,
  HEAD_KEY,
  type Head,
  type IndexCopy,
  type Period,
  type Pressure,
  type StoredBase,
} from './head.ts';
import type { Storage } from './storage.ts';

const storedPeriods = (periods: readonly Period[]): number[] =>
  periods.flatMap(({ epoch, since, days }) => [epoch, since, days]);

/** Changes the head, or makes it. @returns false when the condition does not hold */
export const changeHead = (database: Storage, change: Omit<Update, 'table' | 'key'>): Promise<boolean> =>
  update(database, { table: database.tables.directory, key: { pk: JOURNAL, sk: HEAD_KEY }, ...change });

/** Up to six random letters and digits. */
const randomName = ({ runtime }: Storage): string => Math.floor(runtime.random() * 36 ** 6).toString(36);

/** The name of a base that nobody has had: also of two that are made at once. */
export const newBaseName = (database: Storage, epoch: number): string => `${padded(epoch)}-${randomName(database)}`;

/** The feed that the next batch belongs to: a new one, unless all of its changes have been kept. */
export const nextFeed = (database: Storage, { feed }: Pick<Head, 'feed'>, areKept: boolean): string =>
  areKept && feed !== '' ? feed : randomName(database);

/** The members of a head that tell of several parts. */
const partsOf = (parts: number) => (parts > 1 ? { format: FORMAT_OF_PARTS, parts } : { format: FORMAT });

/**
 * The head of a new stage, or the one after a lost head: without a base. All entries that are in the journal are its batch: a fold from
 * before may still be deleting some of them. @returns false when there is one already
 */
export const makeHead = (
  database: Storage,
  epoch: number,
  batch: readonly string[],
  parts = database.limits.journalParts,
): Promise<boolean> =>
  changeHead(database, {
    set: {
      ...partsOf(parts),
      epoch,
      // Without a batch, nothing has been kept yet that a follower of changes could lack.
      batches: [0, batch.length > 0 ? epoch : 0],
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
  database: Storage,
  head: Head,
  next: Pick<Head, 'batch' | 'tag' | 'claimedAt' | 'feed' | 'periods' | 'changed' | 'grown' | 'shrunk'>,
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
      grown: next.grown,
      shrunk: next.shrunk,
    },
    condition: '#line = :line AND #epoch = :read AND attribute_not_exists(#batch)',
    values: { line: head.generation, read: head.epoch },
  });

/** Ends a batch whose entries are deleted, and notes how long it is kept: nobody has claimed the first one of a head. @returns false when another fold has ended it */
export const release = (database: Storage, { epoch, periods }: Pick<Head, 'epoch' | 'periods'>): Promise<boolean> =>
  changeHead(database, {
    set: { periods: storedPeriods(periods) },
    remove: ['batch'],
    condition: '#epoch = :read AND attribute_exists(#batch)',
    values: { read: epoch },
  });

/** Nothing has come after a base. */
const UNCHANGED = { changed: 0, grown: 0, shrunk: 0 };

/** Puts the next base in the place of the one that it was merged from. @returns false when that one has been replaced */
export const putMerged = (database: Storage, before: StoredBase, base: StoredBase): Promise<boolean> =>
  changeHead(database, {
    set: { base, ...UNCHANGED },
    condition: '#base.#name = :before',
    values: { before: before.name },
  });

/**
 * Puts a base of users who were read anew, of a new generation.
 *
 * @param noted the generation before they were read
 * @param isNewFeed whether the feed of changes begins again, because it lacks some
 * @returns false when the head was made anew since, or has a later base
 */
export const putRead = (
  database: Storage,
  noted: Pick<Head, 'generation'>,
  base: StoredBase,
  isNewFeed = false,
): Promise<boolean> =>
  changeHead(database, {
    set: { base, ...UNCHANGED, line: randomName(database), ...(isNewFeed && { feed: randomName(database) }) },
    condition: '#line = :noted AND (attribute_not_exists(#base) OR #base.#epoch <= :until)',
    values: { noted: noted.generation, until: base.epoch },
  });

const EXISTS = 'attribute_exists(#format)';

/** An attempt that arrives late does not take back what somebody has asked for since. */
const askFor =
  (what: 'repairAsked' | 'mergeAsked') =>
  (database: Storage): Promise<boolean> =>
    changeHead(database, {
      set: { [what]: database.runtime.now() },
      condition: `${EXISTS} AND (attribute_not_exists(#${what}) OR #${what} < :${what})`,
    });

/** Asks for all users to be read anew: something that is stored of them does not hold. */
export const askForRepair = askFor('repairAsked');

/** Lets one fold read all users anew. @param before in Unix milliseconds: one that has begun earlier has probably died */
export const beginRepair = (database: Storage, before: number): Promise<boolean> =>
  changeHead(database, {
    set: { repairBegun: database.runtime.now() },
    condition: 'attribute_not_exists(#repairBegun) OR #repairBegun < :before',
    values: { before },
  });

/** There are fewer parts. */
const FEWER = `${EXISTS} AND (attribute_not_exists(#parts) OR #parts < :parts)`;

/**
 * Asks for more parts of the journal, once no function of before serves any more. An attempt that arrives when there are as many asks for
 * nothing: the next deployment with more parts would find that it has waited.
 */
export const askForParts = (database: Storage): Promise<boolean> =>
  changeHead(database, {
    set: { partsAsked: database.runtime.now() },
    condition: FEWER,
    values: { parts: database.limits.journalParts },
  });

/** Lets the journal lie in more parts. @returns false when it lies in as many */
export const raiseParts = (database: Storage, parts: number): Promise<boolean> =>
  changeHead(database, {
    set: partsOf(parts),
    remove: ['partsAsked'],
    condition: FEWER,
  });

/** Asks for a base without what has been erased. */
export const askForMerge = askFor('mergeAsked');

export const notePressure = (database: Storage, pressure: Pressure | undefined): Promise<boolean> =>
  changeHead(database, {
    ...(pressure ? { set: { pressure } } : { remove: ['pressure'] }),
    condition: EXISTS,
  });

/** Begins to make an index. An attempt that arrives when it is made already begins nothing. @returns false while another one is made */
export const beginCopy = (database: Storage, copy: IndexCopy): Promise<boolean> =>
  changeHead(database, {
    set: { copy },
    condition: `${EXISTS} AND attribute_not_exists(#copy) AND #base.#name <> :made`,
    values: { made: copy.name },
  });

/** Notes how far an index that is made has come. @returns false when another process was faster */
export const noteCopy = (database: Storage, before: IndexCopy, copy: IndexCopy): Promise<boolean> =>
  changeHead(database, {
    set: { copy },
    condition: '#copy.#name = :before AND #copy.#users = :users AND attribute_not_exists(#copy.#indexed)',
    values: { before: before.name, users: before.users },
  });

/** Gives up an index that is made. */
export const dropCopy = (database: Storage, { name }: Pick<IndexCopy, 'name'>): Promise<boolean> =>
  changeHead(database, { remove: ['copy'], condition: '#copy.#name = :dropped', values: { dropped: name } });

/** Gives up an index that takes no more rows of the table, unless it has all: it is lost, or was begun once more by a late call. */
export const dropCopying = (database: Storage, { name }: Pick<IndexCopy, 'name'>): Promise<boolean> =>
  changeHead(database, {
    remove: ['copy'],
    condition: '#copy.#name = :dropped AND attribute_not_exists(#copy.#indexed)',
    values: { dropped: name },
  });

/** Notes that an index shows the batches up to an epoch. It never goes back. @param of the one that lists are made of, or the one that is made */
export const noteIndexed = (database: Storage, of: 'base' | 'copy', next: StoredBase | IndexCopy): Promise<boolean> =>
  changeHead(database, {
    set: { [of]: next },
    condition: `#${of}.#name = :index AND #${of}.#indexed < :until`,
    values: { index: next.name, until: next.indexed },
  });

/** Puts an index that has all rows in the place of the base. @returns false when another process was faster */
export const putCopied = (database: Storage, base: StoredBase): Promise<boolean> =>
  changeHead(database, {
    set: { base, ...UNCHANGED },
    remove: ['copy'],
    condition: '#copy.#name = :copied AND #copy.#indexed <= :until',
    values: { copied: base.name, until: base.indexed },
  });
