import { BatchGetCommand, type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { sleepWithin } from '../deadline.ts';
import { ServiceError } from '../errors.ts';
import { inParallel } from '../parallel.ts';
import type { Runtime } from '../runtime.ts';

/** Long work that nobody waits for at a browser: it can be patient where a request has to give up. */
export interface BulkDependencies {
  dynamo: DynamoDBDocumentClient;
  runtime: Runtime;
}

export type Item = Record<string, unknown>;

const SEGMENTS = 4;
const PARALLEL_BATCHES = 4;

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
const MAX_BATCH = 100;

const MAX_ATTEMPTS = 8;
const BASE_DELAY_MS = 250;

/** A table on demand that is read at full speed throttles until it has grown: wait, up to half a minute a time. */
export async function patiently<Result>({ runtime }: BulkDependencies, read: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      const isTransient = error instanceof ServiceError && error.status === 503;
      if (!isTransient || attempt === MAX_ATTEMPTS) throw error;
      await sleepWithin(runtime, BASE_DELAY_MS * 2 ** attempt * runtime.random());
    }
  }
}

/** All items of a table, each strongly consistent, a page at a time and in no order. */
export async function scanItems(
  dependencies: BulkDependencies,
  TableName: string,
  onPage: (items: Item[]) => void,
): Promise<void> {
  const scanSegment = async (_: undefined, Segment: number) => {
    let from: Item | undefined;
    do {
      const input = { TableName, ConsistentRead: true, Segment, TotalSegments: SEGMENTS, ExclusiveStartKey: from };
      const page = await patiently(dependencies, () => dependencies.dynamo.send(new ScanCommand(input)));
      onPage(page.Items ?? []);
      from = page.LastEvaluatedKey;
    } while (from !== undefined);
  };
  await inParallel(Array<undefined>(SEGMENTS).fill(undefined), SEGMENTS, scanSegment);
}

/** One batch; DynamoDB may leave out what would be too much at a time, and names it. */
async function getBatch(dependencies: BulkDependencies, TableName: string, keys: readonly Item[]): Promise<Item[]> {
  const { dynamo, runtime } = dependencies;
  const items: Item[] = [];
  let left = keys;
  for (let attempt = 0; left.length > 0; attempt++) {
    if (attempt > 0) await sleepWithin(runtime, BASE_DELAY_MS * Math.min(attempt, MAX_ATTEMPTS));
    const request = { [TableName]: { Keys: [...left], ConsistentRead: true } };
    const answer = await patiently(dependencies, () => dynamo.send(new BatchGetCommand({ RequestItems: request })));
    items.push(...(answer.Responses?.[TableName] ?? []));
    left = answer.UnprocessedKeys?.[TableName]?.Keys ?? [];
  }
  return items;
}

/** The items with these distinct keys that are there, each strongly consistent, in no order. */
export async function getItems(
  dependencies: BulkDependencies,
  TableName: string,
  keys: readonly Item[],
): Promise<Item[]> {
  const starts = Array.from({ length: Math.ceil(keys.length / MAX_BATCH) }, (_, i) => i * MAX_BATCH);
  const batches = await inParallel(starts, PARALLEL_BATCHES, (start) =>
    getBatch(dependencies, TableName, keys.slice(start, start + MAX_BATCH)),
  );
  return batches.flat();
}
