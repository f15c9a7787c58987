/** Calls that take one item. */
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoAccess } from './client.ts';

export type Item = Record<string, unknown>;

/**
 * The item with a key, strongly consistent: one read unit for each 4 KB, at least one. Undefined if there is none.
 *
 * @param isWeak eventually consistent, at half the price
 * @throws {ServiceError} 503 when DynamoDB stays throttled or unreachable
 */
export async function get(
  { dynamo }: Pick<DynamoAccess, 'dynamo'>,
  TableName: string,
  Key: Item,
  { isWeak = false } = {},
): Promise<Item | undefined> {
  return (await dynamo.send(new GetCommand({ TableName, Key, ConsistentRead: !isWeak }))).Item;
}

/** Writes one item, in the place of one that is there: one write unit for each KB. @throws {ServiceError} 503 as `get` */
export async function put({ dynamo }: Pick<DynamoAccess, 'dynamo'>, TableName: string, Item: Item): Promise<void> {
  await dynamo.send(new PutCommand({ TableName, Item }));
}
