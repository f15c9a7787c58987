import { ScanCommand, type ScanCommandInput, type ScanCommandOutput } from '@aws-sdk/lib-dynamodb';
import { sleepWithin } from '../deadline.ts';
import { ServiceError } from '../errors.ts';
import { inParallel } from '../parallel.ts';
import type { DynamoAccess } from './client.ts';

export type Item = Record<string, unknown>;

/** Segments of DynamoDB's parallel scan. */
const SCAN_SEGMENTS = 4;

const MAX_CALLS = 8;
const BASE_DELAY_MS = 250;

/**
 * For long work that no client waits for. An on-demand table that is read at full speed throttles until it has scaled up.
 * So calls are repeated after pauses of up to half a minute.
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

/** Reads a table, strongly consistent, page by page, in any order. */
async function scan(
  access: DynamoAccess,
  whole: Pick<ScanCommandInput, 'TableName' | 'Select'>,
  onPage: (page: ScanCommandOutput) => void,
): Promise<void> {
  const scanSegment = async (_: undefined, Segment: number) => {
    let from: Item | undefined;
    do {
      const input = { ...whole, ConsistentRead: true, Segment, TotalSegments: SCAN_SEGMENTS, ExclusiveStartKey: from };
      const page = await withRetries(access, () => access.dynamo.send(new ScanCommand(input)));
      onPage(page);
      from = page.LastEvaluatedKey;
    } while (from !== undefined);
  };
  await inParallel(Array<undefined>(SCAN_SEGMENTS).fill(undefined), SCAN_SEGMENTS, scanSegment);
}

export const scanItems = (access: DynamoAccess, TableName: string, onItems: (items: Item[]) => void): Promise<void> =>
  scan(access, { TableName }, ({ Items = [] }) => onItems(Items));

/** How many items a table has now. DynamoDB's own number is up to six hours old. Costs as much as to read them. */
export async function countItems(access: DynamoAccess, TableName: string): Promise<number> {
  let items = 0;
  await scan(access, { TableName, Select: 'COUNT' }, ({ Count = 0 }) => {
    items += Count;
  });
  return items;
}
