import { insertItems } from '../dynamodb/index.ts';
import type { JournalEntry } from '../replica/entry.ts';
import { oldestFirst } from '../replica/oldestFirst.ts';
import type { Database } from '../users/database.ts';
import { expiryOf, feedItems, historyItem, type KeptBatch } from './items.ts';

/**
 * Keeps the changes of a batch, before its entries leave the journal. Any fold may repeat it: what is there already stays, and
 * so does what was erased.
 *
 * @param days for how long
 */
export async function keepChanges(
  database: Database,
  head: KeptBatch,
  batch: readonly JournalEntry[],
  days: number,
): Promise<void> {
  const { directory } = database.tables;
  const ttl = expiryOf(head.claimedAt, days);
  const inOrder = oldestFirst(batch);
  const items = inOrder.map((change) => historyItem(change, ttl));
  await insertItems(database, directory, items);
  // One after the other: whoever can read a part can read all parts before it.
  for (const item of feedItems(head, inOrder, ttl)) await insertItems(database, directory, [item]);
}
