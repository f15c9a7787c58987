import { insertItems } from '../dynamodb/index.ts';
import type { JournalEntry, Keeper } from '../replica/index.ts';
import { keepNames, readNames } from '../users/attributeNames.ts';
import type { Database } from '../users/database.ts';
import { growthOf } from '../users/entry.ts';
import { daysOf, expiryOf, feedItems, historyItem, type KeptBatch, nextPeriods, periodsOf } from './items.ts';

/**
 * Keeps the changes of a batch, before its entries leave the journal. Any fold may repeat it: what is there already stays, and
 * so does what was erased.
 *
 * @param inOrder its entries, the oldest first
 * @param days for how long
 */
export async function keepChanges(
  database: Database,
  head: KeptBatch,
  inOrder: readonly JournalEntry[],
  days: number,
): Promise<void> {
  const { directory } = database.tables;
  const ttl = expiryOf(head.claimedAt, days);
  const items = inOrder.map((change) => historyItem(change, ttl));
  await insertItems(database, directory, items);
  // One after the other: a reader of a part can read all parts before it.
  for (const item of feedItems(head, inOrder, ttl)) await insertItems(database, directory, [item]);
}

const daysAt = ({ historyDays = 0 }: Database): number => historyDays;

/** Follows the folds of a stage: keeps changes for as many days as the stage says, and the names of attributes that somebody has. */
export const KEEPER: Keeper = {
  isKeeping: (database: Database) => daysAt(database) > 0,
  nextPeriods: (database: Database, head, claimed) => nextPeriods(head, claimed, daysAt(database)),
  periodsOf: (database: Database, head) => periodsOf(head, daysOf(head, daysAt(database))),
  async keep(database: Database, head, entries) {
    const days = daysOf(head, daysAt(database));
    if (days > 0) await keepChanges(database, head, entries, days);
  },
  growthOf,
  async beforeMerge(database: Database) {
    const known = await readNames(database);
    return (names) => keepNames(database, known, names);
  },
};
