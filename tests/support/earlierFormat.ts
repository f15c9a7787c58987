import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { deleteItems, putItems } from '../../lib/dynamodb/batchWrite.ts';
import { scanItems } from '../../lib/dynamodb/bulk.ts';
import type { Database } from '../../lib/users/database.ts';
import { packKeys } from '../../lib/users/journal/entry.ts';
import { readItems } from '../../lib/users/journal/items.ts';
import { tagOf, totalOf } from '../../lib/users/journal/journal.ts';

/** Maps of format 4, one of each kind. */
const MAPS = [
  'totals:status',
  'totals:country,status',
  'names:a',
  'pieces:a',
  'segments1:byName:user',
  'segments2:byCountryAndName:DE',
  'segmented',
];

/**
 * Replaces the head and the statistics of tables with the head and the pages of format 4. Users and journal were the same in
 * that format. Nothing reads what is in the pages.
 *
 * @param batched how many entries of the journal are the batch of a fold that has not ended
 */
export async function makeFormat4(database: Database, batched = 0): Promise<void> {
  const { dynamo, runtime, tables } = database;
  const { head, entries } = await readItems(database);
  const nodes: { pk: unknown; sk: unknown }[] = [];
  await scanItems(database, tables.directory, (items) => {
    for (const { pk, sk } of items) if (/^g[^:]+:/.test(String(pk))) nodes.push({ pk, sk });
  });
  await deleteItems(database, tables.directory, nodes);
  const data = Uint8Array.from([1, 2, 3]);
  const pages = MAPS.flatMap((pk) => ['\0', 'm'].map((sk) => ({ pk, sk, epoch: 1, revision: 7, data })));
  await putItems(database, tables.directory, pages);
  const batch = entries.slice(0, batched);
  const Item = {
    pk: 'journal',
    sk: '#head',
    format: 4,
    epoch: head.epoch + Math.sign(batched),
    total: totalOf(head.total, batch),
    checksum: 123_456_789,
    tag: tagOf(head.tag, batch),
    claimedAt: runtime.now(),
    ...(batched > 0 && { batch: packKeys(batch.map(({ sk }) => sk)) }),
  };
  await dynamo.send(new PutCommand({ TableName: tables.directory, Item }));
}
