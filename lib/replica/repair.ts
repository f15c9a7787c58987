/**
 * Compares and repairs, for programs: the rows of the table beside what readers have of them, and a base of the rows in the table. All of it may run
 * beside writers, folds and readers, except `forgetJournal`.
 */
import type { Replica } from '../columns/index.ts';
import { deleteItems, query } from '../dynamodb/index.ts';
import { MOST_PARTS, partitionsOf } from './entry.ts';
import { type Head, isIndex } from './head.ts';
import { dropCopy } from './headChanges.ts';
import { readHead, readJournal } from './journal.ts';
import { beginHead, ensureBase, rebuild, scanRows } from './rebuild.ts';
import { beside, type Held, isBroken } from './replica.ts';
import type { Storage } from './storage.ts';
import { loadBase } from './storedBase.ts';

/**
 * D10. Empties the journal of restored tables, with its head: the two tables are never of exactly the same moment, so the journal may have
 * writes that the rows lack, or lack writes that they have. No fold may be under way.
 *
 * @returns in how many parts it lay
 */
async function forgetJournal(storage: Storage): Promise<number> {
  const { directory } = storage.tables;
  const head = await readHead(storage);
  for (const partition of partitionsOf(MOST_PARTS)) {
    const items = query(storage, { table: directory, partition: ['pk', partition] });
    const keys = await Array.fromAsync(items, ({ pk, sk }) => ({ pk, sk }));
    await deleteItems(storage, directory, keys);
  }
  return head?.parts ?? storage.limits.journalParts;
}

/** The stored rows beside others. Undefined where what is stored does not hold. */
async function besideSound(storage: Storage, other: Held) {
  try {
    return await beside(storage, other);
  } catch (error) {
    if (isBroken(error)) return undefined;
    throw error;
  }
}

export const createRepair = (storage: Storage) => ({
  /** The head, which is made where there is none. @param parts of the journal: of restored tables the service may know it already */
  begin: (parts = storage.limits.journalParts): Promise<Head> =>
    beginHead({ ...storage, limits: { ...storage.limits, journalParts: parts } }),

  /**
   * Makes the head and the first base of a new stage, as the fold does, and what has been lost of them. An index that stands in the place of a base
   * is replaced.
   */
  async ensureBase(): Promise<void> {
    await ensureBase(storage);
    const head = await readHead(storage);
    if (head?.base && isIndex(head.base)) await rebuild(storage, head);
  },

  /** Gives up an index that is made beside the base. @returns false if none is */
  async dropCopy(): Promise<boolean> {
    const copy = (await readHead(storage))?.copy;
    return copy ? dropCopy(storage, copy) : false;
  },

  forgetJournal: (): Promise<number> => forgetJournal(storage),

  /** All rows of the table, strongly consistent. A read unit for each 4 KB. @param onItems gets the items, some at a time */
  scan: (onItems?: Parameters<typeof scanRows>[1]): Promise<Replica> => scanRows(storage, onItems),

  /** The writes that are not folded yet. */
  entries: async () => (await readJournal(storage)).entries,

  /** Whether a head has a base that holds. Its columns may turn out not to: then `beside` is undefined. */
  hasBase: async ({ base }: Head): Promise<boolean> => !!base && typeof (await loadBase(storage, base)) === 'object',

  /**
   * The rows of readers beside rows that were read since a head, both brought up to one journal. Undefined where what is stored does not hold.
   *
   * @throws {ServiceError} 503 when another repair came in between
   */
  beside: (head: Head, replica: Replica): ReturnType<typeof besideSound> =>
    besideSound(storage, { generation: head.generation, epoch: head.epoch, replica }),

  /**
   * Puts a base of all rows in place: those of the table, unless others are given. Every reader begins again with it.
   *
   * @param noted the head before the rows were read
   * @param isNewFeed whether those who follow the changes begin again, too, because some are lost
   * @returns false if a merge or another repair was faster
   */
  rebuild: (noted: Head, replica?: Replica, isNewFeed = false): Promise<boolean> =>
    rebuild(storage, noted, replica && (async () => replica), isNewFeed),
});
