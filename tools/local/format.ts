import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { JOURNAL } from '../../lib/users/journal/entry.ts';
import { FIRST_FORMAT, FORMAT, HEAD_KEY } from '../../lib/users/journal/head.ts';

/**
 * Requires that this version can read the data. Data of an earlier format whose users are stored as now can be used, and
 * brought to this one. New tables have no head of the journal, so they have no format yet.
 *
 * @param wayOut tells the user what to do with data of another format
 * @returns one sentence that says what to do with data of an earlier format; undefined for data of this one
 * @throws {Error} when a later version has written the data, or one that stored users in another way
 */
export async function requireFormat(
  client: DynamoDBClient,
  directory: string,
  wayOut: string,
): Promise<string | undefined> {
  const Key = { pk: { S: JOURNAL }, sk: { S: HEAD_KEY } };
  const { Item } = await client.send(new GetItemCommand({ TableName: directory, Key, ConsistentRead: true }));
  const format = Number(Item?.format?.N ?? FORMAT);
  if (format === FORMAT) return undefined;
  if (format >= FIRST_FORMAT && format < FORMAT) {
    return `Table ${directory} has statistics of format ${format}: users can be read and written, and lists are refused until "npm run verify -- --repair" brings them to format ${FORMAT}.`;
  }
  throw new Error(
    `Table ${directory} has data of format ${format}, and this version knows only formats ${FIRST_FORMAT} to ${FORMAT}: ${wayOut}, or use the version that wrote the data.`,
  );
}
