import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { deleteItems, putItems } from '../../lib/dynamodb/batches.ts';
import { scanItems } from '../../lib/dynamodb/scan.ts';
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

const foldedBefore = (value: string) => value.normalize('NFC').toLowerCase().normalize('NFC').replaceAll('ς', 'σ');

/** The keys of names and of a status, as formats before 6 had them. */
function keysBefore({ id, f }: Record<string, unknown>) {
  const { n = '', l, s } = f as { n?: string; l?: string; s?: string };
  const order = (value: string | undefined, more = '') =>
    `${value === undefined ? '\u{10FFFF}\u0002' : foldedBefore(value)}${more}\0${String(id).padStart(16, '0')}`;
  return { nKey: order(n), lKey: order(l), sKey: order(s, s === undefined || s === foldedBefore(s) ? '\0' : `\0${s}`) };
}

/** Gives all users the keys of formats before 6. */
async function makeEarlierKeys(database: Database): Promise<void> {
  await scanItems(database, database.tables.users, async (items) => {
    for (const item of items.filter(({ f }) => f !== undefined)) {
      const keys = Object.entries(keysBefore(item));
      const UpdateExpression = `SET ${keys.map(([name]) => `${name} = :${name}`).join(', ')}`;
      const ExpressionAttributeValues = Object.fromEntries(keys.map(([name, key]) => [`:${name}`, key]));
      const Key = { id: item.id };
      await database.dynamo.send(
        new UpdateCommand({ TableName: database.tables.users, Key, UpdateExpression, ExpressionAttributeValues }),
      );
    }
  });
}

/**
 * Replaces the head and the statistics of tables with the head and the pages of format 4. The journal was the same in
 * that format, and users had the keys of format 5. Nothing reads what is in the pages.
 *
 * @param batched how many entries of the journal are the batch of a fold that has not ended
 */
export async function makeFormat4(database: Database, batched = 0): Promise<void> {
  const { dynamo, runtime, tables } = database;
  const { head, entries } = await readItems(database);
  await makeEarlierKeys(database);
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
