import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { inParallel } from '../ground/index.ts';
import type { DynamoAccess } from './client.ts';
import type { Item } from './items.ts';
import { withRetries } from './retry.ts';

/** Segments of DynamoDB's parallel scan. */
const SCAN_SEGMENTS = 4;

/** Reads a table, strongly consistent, page by page, in any order. The next page of a segment is read when one is done with. */
export async function scan(
  access: DynamoAccess,
  TableName: string,
  onItems: (items: Item[]) => void | Promise<void>,
): Promise<void> {
  await inParallel([...Array(SCAN_SEGMENTS).keys()], SCAN_SEGMENTS, async (Segment) => {
    const input = { TableName, ConsistentRead: true, Segment, TotalSegments: SCAN_SEGMENTS };
    let from: Item | undefined;
    do {
      const command = new ScanCommand({ ...input, ExclusiveStartKey: from });
      const { Items = [], LastEvaluatedKey } = await withRetries(access, () => access.dynamo.send(command));
      await onItems(Items);
      from = LastEvaluatedKey;
    } while (from !== undefined);
  });
}

/** Reads a table, strongly consistent, page by page, from the key of an item on, which is that of the last item of the page before. */
export async function* scanFrom(
  access: DynamoAccess,
  TableName: string,
  after?: Item,
): AsyncGenerator<{ items: Item[]; last: Item | undefined }> {
  let from = after;
  do {
    const command = new ScanCommand({ TableName, ConsistentRead: true, ExclusiveStartKey: from });
    const { Items = [], LastEvaluatedKey } = await withRetries(access, () => access.dynamo.send(command));
    yield { items: Items, last: LastEvaluatedKey };
    from = LastEvaluatedKey;
  } while (from !== undefined);
}
