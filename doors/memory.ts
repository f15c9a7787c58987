/** The memory of a follower: the one item of a table of its own, which belongs to one run at a time. */
import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Memory } from './door.ts';

const client = new DynamoDBClient();

/** The clocks of two containers may differ by as much, and the last write of a run may be on its way. */
const SPARE_MS = 5_000;

/** Changes the item. @returns the item as it is then. Undefined if the condition does not hold */
async function update(
  TableName: string,
  UpdateExpression: string,
  ConditionExpression: string,
  ExpressionAttributeValues: Record<string, AttributeValue>,
): Promise<Record<string, AttributeValue> | undefined> {
  const input = { TableName, Key: { pk: { S: 'state' } }, UpdateExpression, ConditionExpression };
  const command = new UpdateItemCommand({ ...input, ExpressionAttributeValues, ReturnValues: 'ALL_NEW' });
  try {
    const { Attributes = {} } = await client.send(command);
    return Attributes;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

/**
 * Runs something with the memory of a table, unless another run has it.
 *
 * @param time milliseconds after which others may have it, also if this run has died
 * @returns false if another run has it
 */
export async function withMemory(
  table: string,
  time: number,
  work: (memory: Memory) => Promise<void>,
): Promise<boolean> {
  const now = Date.now();
  const [holder, until] = [{ S: randomUUID() }, { N: String(now + time + SPARE_MS) }];
  // An attempt whose answer was lost has taken it already.
  const isFree = 'attribute_not_exists(pk) OR heldUntil < :now OR holder = :holder';
  const values = { ':holder': holder, ':until': until, ':now': { N: String(now) } };
  const item = await update(table, 'SET holder = :holder, heldUntil = :until', isFree, values);
  if (item === undefined) return false;
  const change = (expression: string, value: AttributeValue) =>
    update(table, `SET ${expression} = :value`, 'holder = :holder', { ':holder': holder, ':value': value });
  try {
    await work({
      last: item.kept?.S === undefined ? undefined : JSON.parse(item.kept.S),
      async keep(state) {
        if ((await change('kept', { S: JSON.stringify(state) })) === undefined)
          throw new Error('Another run has the memory of the door');
      },
    });
  } finally {
    await change('heldUntil', { N: '0' });
  }
  return true;
}
