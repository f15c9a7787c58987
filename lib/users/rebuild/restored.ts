import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { deleteItems } from '../../dynamodb/batchWrite.ts';
import { scanItems } from '../../dynamodb/bulk.ts';
import type { Database } from '../database.ts';
import { JOURNAL } from '../journal/entry.ts';
import { HEAD_KEY } from '../journal/head.ts';
import { readItems } from '../journal/items.ts';

/** D10. Deletes all pages of statistics. Without a head nothing tells which batches they have. */
async function forgetStatistics(database: Database): Promise<void> {
  const pages: { pk: unknown; sk: unknown }[] = [];
  await scanItems(database, database.tables.directory, (items) => {
    for (const { pk, sk, data } of items) if (data !== undefined) pages.push({ pk, sk });
  });
  await deleteItems(database, database.tables.directory, pages);
}

/**
 * Empties the journal of restored tables: the two tables are never of exactly the same moment, so the journal may have writes
 * that the users lack, or lack writes that they have. The head's epoch is kept, because pages have it. Its format goes, so that
 * the service refuses the tables until `verify` with `repair` has ended.
 */
export async function forgetJournal(database: Database): Promise<void> {
  const { head, entries } = await readItems(database);
  if (!head.isMade && head.epoch === 0) await forgetStatistics(database);
  const keys = entries.map(({ sk }) => ({ pk: JOURNAL, sk }));
  await deleteItems(database, database.tables.directory, keys);
  await database.dynamo.send(
    new UpdateCommand({
      TableName: database.tables.directory,
      Key: { pk: JOURNAL, sk: HEAD_KEY },
      UpdateExpression: 'REMOVE #batch, #format',
      ExpressionAttributeNames: { '#batch': 'batch', '#format': 'format' },
    }),
  );
}
