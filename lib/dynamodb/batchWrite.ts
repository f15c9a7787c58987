import { BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { sleepWithin } from '../deadline.ts';
import { callsAtOnce, inParallel } from '../parallel.ts';
import { backoff } from './backoff.ts';
import { type Item, withRetries } from './bulk.ts';
import type { DynamoAccess } from './client.ts';

type Request = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
const BATCH = 25;

const PARALLEL_WRITES = 4;

/** Writes one batch. DynamoDB may leave requests unprocessed and name them. */
async function writeBatch(access: DynamoAccess, table: string, requests: Request[]): Promise<void> {
  let unprocessed = requests;
  for (let tries = 0; unprocessed.length > 0; tries++) {
    if (tries > 0) await sleepWithin(access.runtime, backoff(tries, access.runtime.random));
    const command = new BatchWriteCommand({ RequestItems: { [table]: unprocessed } });
    const response = await withRetries(access, () => access.dynamo.send(command));
    unprocessed = response.UnprocessedItems?.[table] ?? [];
  }
}

async function write(
  access: DynamoAccess,
  table: string,
  items: readonly Item[],
  request: (item: Item) => Request,
  atOnce = PARALLEL_WRITES,
): Promise<void> {
  const starts = [...Array(Math.ceil(items.length / BATCH)).keys()].map((batch) => batch * BATCH);
  await inParallel(starts, atOnce, (start) =>
    writeBatch(access, table, items.slice(start, start + BATCH).map(request)),
  );
}

/** Deletes items in any order, next to requests. Missing ones are ignored. */
export const deleteItems = (access: DynamoAccess, table: string, keys: readonly Item[]): Promise<void> =>
  write(access, table, keys, (Key) => ({ DeleteRequest: { Key } }), callsAtOnce(keys.length / BATCH, PARALLEL_WRITES));

/** Writes items in any order, as fast as it can. Existing ones are replaced. */
export const putItems = (access: DynamoAccess, table: string, items: readonly Item[]): Promise<void> =>
  write(access, table, items, (Item) => ({ PutRequest: { Item } }));
