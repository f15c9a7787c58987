import { ScanCommand, type ScanCommandInput, type ScanCommandOutput } from '@aws-sdk/lib-dynamodb';
import { sleepWithin } from '../deadline.ts';
import { ServiceError } from '../errors.ts';
import { inParallel } from '../parallel.ts';
import { backoff, SCALING_DELAYS } from './backoff.ts';
import type { DynamoAccess } from './client.ts';

export type Item = Record<string, unknown>;

/** Segments of DynamoDB's parallel scan. */
const SCAN_SEGMENTS = 4;

const MAX_CALLS = 8;

/** For long work that no client waits for: after the SDK's attempts, the call is repeated, with pauses of up to half a minute. */
export async function withRetries<Result>({ runtime }: DynamoAccess, call: () => Promise<Result>): Promise<Result> {
  for (let retries = 0; ; retries++) {
    try {
      return await call();
    } catch (error) {
      const isTransient = error instanceof ServiceError && error.status === 503;
      if (!isTransient || retries + 1 === MAX_CALLS) throw error;
      await sleepWithin(runtime, backoff(retries, runtime.random, SCALING_DELAYS));
    }
  }
}

/** Reads a table, strongly consistent, page by page, in any order. */
async function scan(
  access: DynamoAccess,
  whole: Pick<ScanCommandInput, 'TableName' | 'Select'>,
  onPage: (page: ScanCommandOutput) => void | Promise<void>,
): Promise<void> {
  await inParallel([...Array(SCAN_SEGMENTS).keys()], SCAN_SEGMENTS, async (Segment) => {
    const input = { ...whole, ConsistentRead: true, Segment, TotalSegments: SCAN_SEGMENTS };
    let from: Item | undefined;
    do {
      const command = new ScanCommand({ ...input, ExclusiveStartKey: from });
      const page = await withRetries(access, () => access.dynamo.send(command));
      await onPage(page);
      from = page.LastEvaluatedKey;
    } while (from !== undefined);
  });
}

/** The next page of a segment is read when the items of one are done with. */
export const scanItems = (
  access: DynamoAccess,
  TableName: string,
  onItems: (items: Item[]) => void | Promise<void>,
): Promise<void> => scan(access, { TableName }, ({ Items = [] }) => onItems(Items));

/** How many items a table has now. DynamoDB's own number is up to six hours old. Costs as much as to read them. */
export async function countItems(access: DynamoAccess, TableName: string): Promise<number> {
  let items = 0;
  await scan(access, { TableName, Select: 'COUNT' }, ({ Count = 0 }) => {
    items += Count;
  });
  return items;
}
