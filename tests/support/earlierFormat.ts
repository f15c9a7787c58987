import type { Database } from '../../lib/users/database.ts';
import { packKeys } from '../../lib/users/journal/entry.ts';
import { changeHead } from '../../lib/users/journal/head.ts';
import { readItems } from '../../lib/users/journal/items.ts';
import { tagOf, totalOf } from '../../lib/users/journal/journal.ts';

/**
 * Gives the head the format before this one, which had names of recent writes. The journal and the users were the same. Nothing reads
 * the statistics of that format.
 *
 * @param batched how many entries of the journal are the batch of a fold that has not ended
 */
export async function makeFormat6(database: Database, batched = 0): Promise<void> {
  const { head, entries } = await readItems(database);
  const batch = entries.slice(0, batched);
  const set = {
    format: 6,
    epoch: head.epoch + Math.sign(batched),
    total: totalOf(head.total, batch),
    tag: tagOf(head.tag, batch),
    recent: [1, 900, 0, 600, 1],
    ...(batched > 0 && { batch: packKeys(batch.map(({ sk }) => sk)) }),
  };
  await changeHead(database, { set });
}
