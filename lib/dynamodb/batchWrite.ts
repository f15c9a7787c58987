import { BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { sleepWithin } from '../deadline.ts';
import { inParallel } from '../parallel.ts';
import { backoff } from './backoff.ts';
import { withRetries } from './bulk.ts';
import type { DynamoAccess } from './client.ts';

type Request = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
const MAX_REQUESTS_PER_WRITE = 25;

const PARALLEL_WRITES = 4;

/** Writes one batch. DynamoDB may leave requests unprocessed and name them. */
async function writeBatch({ dynamo, runtime }: DynamoAccess, table: string, requests: Request[]): Promise<void> {
  let unprocessed = requests;
  for (let attempt = 0; unprocessed.length > 0; attempt++) {
    if (attempt > 0) await sleepWithin(runtime, backoff(attempt, runtime.random));
    const request = new BatchWriteCommand({ RequestItems: { [table]: unprocessed } });
    const response = await withRetries({ dynamo, runtime }, () => dynamo.send(request));
    unprocessed = response.UnprocessedItems?.[table] ?? [];
  }
}

async function write(access: DynamoAccess, table: string, requests: readonly Request[]): Promise<void> {
  const starts = Array.from(
    { length: Math.ceil(requests.length / MAX_REQUESTS_PER_WRITE) },
    (_, i) => i * MAX_REQUESTS_PER_WRITE,
  );
  await inParallel(starts, PARALLEL_WRITES, (start) =>
    writeBatch(access, table, requests.slice(start, start + MAX_REQUESTS_PER_WRITE)),
  );
}

/** Deletes items in any order. Missing ones are ignored. */
export const deleteItems = (
  access: DynamoAccess,
  table: string,
  keys: readonly Record<string, unknown>[],
): Promise<void> =>
  write(
    access,
    table,
    keys.map((Key) => ({ DeleteRequest: { Key } })),
  );

/** Writes items in any order. Existing ones are replaced. */
export const putItems = (
  access: DynamoAccess,
  table: string,
  items: readonly Record<string, unknown>[],
): Promise<void> =>
  write(
    access,
    table,
    items.map((Item) => ({ PutRequest: { Item } })),
  );
