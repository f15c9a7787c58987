import { BatchWriteCommand, type BatchWriteCommandInput, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { sleepWithin } from '../deadline.ts';
import { inParallel } from '../parallel.ts';
import type { Runtime } from '../runtime.ts';
import { backoff } from './backoff.ts';
import { patiently } from './bulk.ts';

type Request = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

interface Dependencies {
  dynamo: DynamoDBDocumentClient;
  runtime: Runtime;
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
const MAX_BATCH = 25;

const PARALLEL_BATCHES = 4;

/** DynamoDB may leave out what would be too much at a time, and names it. */
async function writeBatch({ dynamo, runtime }: Dependencies, table: string, requests: Request[]): Promise<void> {
  let left = requests;
  for (let attempt = 0; left.length > 0; attempt++) {
    if (attempt > 0) await sleepWithin(runtime, backoff(attempt, runtime.random));
    const request = new BatchWriteCommand({ RequestItems: { [table]: left } });
    const answer = await patiently({ dynamo, runtime }, () => dynamo.send(request));
    left = answer.UnprocessedItems?.[table] ?? [];
  }
}

async function write(dependencies: Dependencies, table: string, requests: readonly Request[]): Promise<void> {
  const starts = Array.from({ length: Math.ceil(requests.length / MAX_BATCH) }, (_, i) => i * MAX_BATCH);
  await inParallel(starts, PARALLEL_BATCHES, (start) =>
    writeBatch(dependencies, table, requests.slice(start, start + MAX_BATCH)),
  );
}

/** Deletes items, in no order, whether they are there or not. */
export const deleteItems = (
  dependencies: Dependencies,
  table: string,
  keys: readonly Record<string, unknown>[],
): Promise<void> =>
  write(
    dependencies,
    table,
    keys.map((Key) => ({ DeleteRequest: { Key } })),
  );

/** Writes items, in no order and over whatever is there. */
export const putItems = (
  dependencies: Dependencies,
  table: string,
  items: readonly Record<string, unknown>[],
): Promise<void> =>
  write(
    dependencies,
    table,
    items.map((Item) => ({ PutRequest: { Item } })),
  );
