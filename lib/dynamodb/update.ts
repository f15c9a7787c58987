import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoAccess } from './client.ts';
import { CONDITION_FAILED } from './errors.ts';
import type { Item } from './items.ts';

export interface Update {
  table: string;
  key: Item;
  set?: Item;
  remove?: readonly string[];
  /** Of attributes (`#name`) and values (`:name`). */
  condition?: string;
  /** The values in the condition, besides those that are set. */
  values?: Item;
}

/**
 * Updates one item.
 *
 * @returns false when the condition does not hold; perhaps because an attempt whose response was lost has changed the item
 */
export async function update({ dynamo }: Pick<DynamoAccess, 'dynamo'>, given: Update): Promise<boolean> {
  const { table, key, set = {}, remove = [], condition, values = {} } = given;
  const sets = Object.keys(set).map((name) => `#${name} = :${name}`);
  const removes = remove.map((name) => `#${name}`);
  const parts = [sets.length > 0 && `SET ${sets.join(', ')}`, removes.length > 0 && `REMOVE ${removes.join(', ')}`];
  const UpdateExpression = parts.filter(Boolean).join(' ');
  const names = `${UpdateExpression} ${condition}`.matchAll(/#(\w+)/g);
  const named = Object.entries({ ...set, ...values }).map(([name, value]) => [`:${name}`, value]);
  const command = new UpdateCommand({
    TableName: table,
    Key: key,
    UpdateExpression,
    ...(condition !== undefined && { ConditionExpression: condition }),
    ExpressionAttributeNames: Object.fromEntries(names),
    ...(named.length > 0 && { ExpressionAttributeValues: Object.fromEntries(named) }),
  });
  try {
    await dynamo.send(command);
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === CONDITION_FAILED) return false;
    throw error;
  }
}
