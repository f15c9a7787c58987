import { BatchGetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { sleepWithin } from '../deadline.ts';
import { ServiceError } from '../errors.ts';
import { inParallel } from '../parallel.ts';
import type { DynamoAccess } from './client.ts';

export type Item = Record<string, unknown>;

/** Of DynamoDB's parallel scan. */
const SCAN_SEGMENTS = 4;
const PARALLEL_GETS = 4;

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
const MAX_KEYS_PER_GET = 100;

const MAX_CALLS = 8;
const BASE_DELAY_MS = 250;

/**
 * For long work that no client waits for. An on-demand table that is read at full speed throttles until it has scaled up, so
 * calls are repeated after pauses of up to half a minute.
 */
export async function withRetries<Result>({ runtime }: DynamoAccess, call: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      const isTransient = error instanceof ServiceError && error.status === 503;
      if (!isTransient || attempt === MAX_CALLS) throw error;
      await sleepWithin(runtime, BASE_DELAY_MS * 2 ** attempt * runtime.random());
    }
  }
}

/** All items of a table, strongly consistent, page by page and in no order. */
export async function scanItems(
  access: DynamoAccess,
  TableName: string,
  onPage: (items: Item[]) => void,
): Promise<void> {
  const scanSegment = async (_: undefined, Segment: number) => {
    let from: Item | undefined;
    do {
      const input = { TableName, ConsistentRead: true, Segment, TotalSegments: SCAN_SEGMENTS, ExclusiveStartKey: from };
      const page = await withRetries(access, () => access.dynamo.send(new ScanCommand(input)));
      onPage(page.Items ?? []);
      from = page.LastEvaluatedKey;
    } while (from !== undefined);
  };
  await inParallel(Array<undefined>(SCAN_SEGMENTS).fill(undefined), SCAN_SEGMENTS, scanSegment);
}

/** Gets one batch. DynamoDB may leave keys unprocessed and name them. */
async function getBatch(access: DynamoAccess, TableName: string, keys: readonly Item[]): Promise<Item[]> {
  const { dynamo, runtime } = access;
  const items: Item[] = [];
  let unprocessed = keys;
  for (let attempt = 0; unprocessed.length > 0; attempt++) {
    if (attempt > 0) await sleepWithin(runtime, BASE_DELAY_MS * Math.min(attempt, MAX_CALLS));
    const request = { [TableName]: { Keys: [...unprocessed], ConsistentRead: true } };
    const response = await withRetries(access, () => dynamo.send(new BatchGetCommand({ RequestItems: request })));
    items.push(...(response.Responses?.[TableName] ?? []));
    unprocessed = response.UnprocessedKeys?.[TableName]?.Keys ?? [];
  }
  return items;
}

/** The items with these distinct keys, strongly consistent and in no order. Missing ones are left out. */
export async function getItems(access: DynamoAccess, TableName: string, keys: readonly Item[]): Promise<Item[]> {
  const starts = Array.from({ length: Math.ceil(keys.length / MAX_KEYS_PER_GET) }, (_, i) => i * MAX_KEYS_PER_GET);
  const batches = await inParallel(starts, PARALLEL_GETS, (start) =>
    getBatch(access, TableName, keys.slice(start, start + MAX_KEYS_PER_GET)),
  );
  return batches.flat();
}
