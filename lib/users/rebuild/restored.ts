import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { deleteItems } from '../../dynamodb/batchWrite.ts';
import type { Database } from '../database.ts';
import { JOURNAL } from '../journal/entry.ts';
import { HEAD_KEY } from '../journal/head.ts';
import { readItems } from '../journal/journal.ts';

/**
 * Forgets the journal of restored tables: the two are never of one moment, so it may tell of writes that the users do not
 * have, or had before. To be followed by `verify` with `repair`, before the tables serve. The head's epoch is kept: pages
 * have it.
 */
export async function forgetJournal(database: Database): Promise<void> {
  const { entries } = await readItems(database);
  const keys = entries.map(({ sk }) => ({ pk: JOURNAL, sk }));
  await deleteItems(database, database.tables.directory, keys);
  await database.dynamo.send(
    new UpdateCommand({
      TableName: database.tables.directory,
      Key: { pk: JOURNAL, sk: HEAD_KEY },
      UpdateExpression: 'REMOVE #batch',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#batch': 'batch' },
    }),
  );
}
