/** Calls that take many items. DynamoDB may leave some of them undone: these are tried again, without the others. */
import { BatchGetCommand, BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { chunksOf, inParallel, unavailable } from '../ground/index.ts';
import type { DynamoAccess } from './client.ts';
import type { Item } from './items.ts';
import {
  Again,
  CONFLICT_DELAYS,
  type Delays,
  FAILURE_DELAYS,
  type Patience,
  retry,
  SCALING,
  withRetries,
} from './retry.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
const READS = 100;

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
const WRITES = 25;

const PARALLEL = 4;

/** Up to a few seconds, if no deadline ends them earlier. */
const MAX_TRIES = 8;

/** About how many calls justify one more at a time. */
const CALLS_EACH = 64;

/**
 * How many of some writes run at a time. A few run one after another, so a request waits for one of them at most; many have to catch up
 * with the requests that made them.
 */
export const callsAtOnce = (calls: number, most: number): number =>
  Math.min(most, Math.max(1, Math.ceil(calls / CALLS_EACH)));

export interface Batches {
  /** The most parts of a call. */
  size: number;
  /** How many calls at a time. */
  atOnce?: number;
  /** For long work: it never gives up what was left undone, and repeats calls that fail as a whole. */
  patience?: Patience | undefined;
}

/** @param call returns the parts that it left undone, and how long to wait for them */
export async function inBatches<Part>(
  access: DynamoAccess,
  parts: readonly Part[],
  { size, atOnce = callsAtOnce(parts.length / size, PARALLEL), patience }: Batches,
  call: (parts: readonly Part[]) => Promise<{ left: readonly Part[]; delays: Delays }>,
): Promise<void> {
  const tries = patience ? Number.POSITIVE_INFINITY : MAX_TRIES;
  await inParallel([...chunksOf(parts, size)], atOnce, (chunk) => {
    let some: readonly Part[] = chunk;
    return retry(access.runtime, tries, async () => {
      const { left, delays } = await (patience ? withRetries(access, () => call(some), patience) : call(some));
      some = left;
      if (left.length > 0)
        return new Again(unavailable(`Items were throttled or met conflicts ${tries} times`), delays);
    });
  });
}

interface Reads extends Partial<Batches> {
  /** Eventually consistent, at half the price. */
  isWeak?: boolean;
}

/**
 * Items by their keys, in any order. Missing ones are left out. One read unit for each 4 KB of an item. No key may come twice.
 *
 * @throws {ServiceError} 503 when DynamoDB stays throttled or unreachable
 */
export async function getItems(
  access: DynamoAccess,
  table: string,
  keys: readonly Item[],
  { isWeak = false, ...batches }: Reads = {},
): Promise<Item[]> {
  const items: Item[] = [];
  const { delays = FAILURE_DELAYS } = batches.patience ?? {};
  await inBatches(access, keys, { size: READS, atOnce: PARALLEL, ...batches }, async (some) => {
    const request = { Keys: [...some], ConsistentRead: !isWeak };
    const command = new BatchGetCommand({ RequestItems: { [table]: request } });
    const { Responses, UnprocessedKeys } = await access.dynamo.send(command);
    items.push(...(Responses?.[table] ?? []));
    return { left: UnprocessedKeys?.[table]?.Keys ?? [], delays };
  });
  return items;
}

type Request = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

/** Write units a second that leave room for others: a partition has 1,000, and large items meet in one by chance. */
const PACE = 1_500;
/** Items of 380 KB: more at a time would use up a partition before they could be paced. */
const PACED_WRITES = 2;

/** Work that no client waits for. */
export interface Paced {
  isPaced?: boolean;
}

const write = (
  access: DynamoAccess,
  table: string,
  requests: readonly Request[],
  { isPaced = false }: Paced = {},
): Promise<void> =>
  inBatches(
    access,
    requests,
    { size: isPaced ? PACED_WRITES : WRITES, patience: SCALING, ...(isPaced && { atOnce: 1 }) },
    async (some) => {
      const command = new BatchWriteCommand({ RequestItems: { [table]: [...some] } });
      const { UnprocessedItems, ConsumedCapacity = [] } = await access.dynamo.send(command);
      const units = ConsumedCapacity.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
      if (isPaced) await access.runtime.sleep((units * 1_000) / PACE);
      return { left: UnprocessedItems?.[table] ?? [], delays: CONFLICT_DELAYS };
    },
  );

/** Deletes items in any order. Missing ones are ignored. */
export const deleteItems = (access: DynamoAccess, table: string, keys: readonly Item[], paced?: Paced): Promise<void> =>
  write(
    access,
    table,
    keys.map((Key) => ({ DeleteRequest: { Key } })),
    paced,
  );

/** Writes items in any order. Existing ones are replaced. */
export const putItems = (access: DynamoAccess, table: string, items: readonly Item[], paced?: Paced): Promise<void> =>
  write(
    access,
    table,
    items.map((Item) => ({ PutRequest: { Item } })),
    paced,
  );
