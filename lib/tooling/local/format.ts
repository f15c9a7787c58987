import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { JOURNAL } from '../../users/journal/entry.ts';
import { FORMAT, HEAD_KEY } from '../../users/journal/head.ts';

/**
 * Requires that data has the format of this version, because otherwise each request would fail. New tables have no head of
 * the journal, so they have no format yet.
 *
 * @param wayOut tells the user what to do with data of another format
 * @throws {Error} when another version has written the data
 */
export async function requireFormat(client: DynamoDBClient, directory: string, wayOut: string): Promise<void> {
  const Key = { pk: { S: JOURNAL }, sk: { S: HEAD_KEY } };
  const { Item } = await client.send(new GetItemCommand({ TableName: directory, Key, ConsistentRead: true }));
  const format = Item?.format?.N;
  if (format === undefined || Number(format) === FORMAT) return;
  throw new Error(
    `Table ${directory} has data of format ${format}, and this version knows only format ${FORMAT}: ${wayOut}, or use the version that wrote the data.`,
  );
}
