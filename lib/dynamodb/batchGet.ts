import { BatchGetCommand, type BatchGetCommandInput } from '@aws-sdk/lib-dynamodb';
import { sleepWithin } from '../deadline.ts';
import { unavailable } from '../errors.ts';
import { inParallel } from '../parallel.ts';
import { backoff, FAILURE_DELAYS } from './backoff.ts';
import type { Item } from './bulk.ts';
import type { DynamoAccess } from './client.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
const BATCH = 100;

const PARALLEL_READS = 4;

/** Up to a few seconds, if no deadline ends them earlier. */
const MAX_TRIES = 8;

async function readBatch({ dynamo, runtime }: DynamoAccess, table: string, keys: Item[]): Promise<Item[]> {
  const items: Item[] = [];
  let left: NonNullable<BatchGetCommandInput['RequestItems']> = { [table]: { Keys: keys, ConsistentRead: true } };
  for (let tries = 0; Object.keys(left).length > 0; tries++) {
    if (tries === MAX_TRIES) throw unavailable(`Items were left unread ${MAX_TRIES} times`);
    if (tries > 0) await sleepWithin(runtime, backoff(tries - 1, runtime.random, FAILURE_DELAYS));
    const { Responses, UnprocessedKeys = {} } = await dynamo.send(new BatchGetCommand({ RequestItems: left }));
    items.push(...(Responses?.[table] ?? []));
    left = UnprocessedKeys;
  }
  return items;
}

/**
 * Items by their keys, strongly consistent, in any order. Missing ones are left out. One read unit for each 4 KB of an item. No
 * key may come twice.
 *
 * @throws {ServiceError} 503 when DynamoDB stays throttled or unreachable
 */
export async function readItemsByKey(access: DynamoAccess, table: string, keys: readonly Item[]): Promise<Item[]> {
  const starts = [...Array(Math.ceil(keys.length / BATCH)).keys()].map((batch) => batch * BATCH);
  const items = await inParallel(starts, PARALLEL_READS, (start) =>
    readBatch(access, table, keys.slice(start, start + BATCH)),
  );
  return items.flat();
}
