import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { keyBeside, type List, sortKeyIn } from '../lists.ts';
import { compareCodePoints } from '../text.ts';
import { toUser } from '../userItem.ts';
import type { Direction } from './order.ts';
import { canLeaveOut, type KeyRange, stretchesWith } from './stretches.ts';
import type { View } from './view.ts';

export interface ScanOptions {
  direction: Direction;
  /** The first key to read, in this direction. */
  from?: string | undefined;
  /** The last key to read, in this direction. */
  to?: string | undefined;
  /** How many users the caller expects to need: a short read costs less, a long one takes fewer round trips. */
  expected: number;
  /** How many users to read first, where the caller may need no more. */
  probe?: number;
  /** Users without this in their last names may be left out. */
  keyword?: string | undefined;
}

/** A page of DynamoDB has at most a megabyte. Smaller pages let the caller use the first users earlier. */
const MAX_ITEMS_PER_QUERY = 1_000;

/** DynamoDB refuses such a range. */
export const isEmpty = ({ low, high }: KeyRange): boolean =>
  low !== undefined && high !== undefined && compareCodePoints(low, high) > 0;

function queryInput({ database }: View, list: List, { low, high }: KeyRange, direction: Direction): QueryCommandInput {
  const { index, partition } = list;
  const conditions = [
    '#partition = :partition',
    low !== undefined && high !== undefined
      ? '#sort BETWEEN :low AND :high'
      : low !== undefined
        ? '#sort >= :low'
        : high !== undefined && '#sort <= :high',
  ];
  const isBounded = low !== undefined || high !== undefined;
  return {
    TableName: database.tables.users,
    IndexName: index.name,
    ScanIndexForward: direction === 'asc',
    KeyConditionExpression: conditions.filter(Boolean).join(' AND '),
    ExpressionAttributeNames: { '#partition': index.partitionKey, ...(isBounded && { '#sort': index.sortKey }) },
    ExpressionAttributeValues: {
      ':partition': partition,
      ...(low !== undefined && { ':low': sortKeyIn(list, low) }),
      ...(high !== undefined && { ':high': sortKeyIn(list, high) }),
    },
  };
}

/** After a smaller page the next one is twice as large. After a larger page the next one has an eighth of the expected number. */
const FEW = 128;

interface Page {
  items: Record<string, unknown>[];
  isLast: boolean;
}

/** L1, L2. Pages of a list. The first ones have the expected number of users; after them, what cannot have the keyword is left out. */
export async function* pages(view: View, list: List, whole: KeyRange, options: ScanOptions): AsyncGenerator<Page> {
  const { direction, expected, probe = expected, keyword } = options;
  let [size, left] = [Math.max(1, probe), expected];

  /** @returns the part of the range that was not read because no more was expected */
  async function* read(range: KeyRange, isFirst: boolean): AsyncGenerator<Page, KeyRange | undefined> {
    const input = queryInput(view, list, range, direction);
    let from: QueryCommandInput['ExclusiveStartKey'];
    do {
      const Limit = Math.min(MAX_ITEMS_PER_QUERY, Math.ceil(size));
      const response = await view.database.dynamo.send(new QueryCommand({ ...input, Limit, ExclusiveStartKey: from }));
      const { Items: items = [], ConsumedCapacity, LastEvaluatedKey } = response;
      view.units += ConsumedCapacity?.CapacityUnits ?? 0;
      from = LastEvaluatedKey;
      yield { items, isLast: from === undefined };
      left -= Limit;
      size = left > 0 ? left : Limit < FEW ? 2 * Limit : Math.max(FEW, expected / 8);
      const last = items.at(-1);
      if (isFirst && left <= 0 && from !== undefined && last) {
        return direction === 'asc'
          ? { ...range, low: keyBeside(list, toUser(last), 1) }
          : { ...range, high: keyBeside(list, toUser(last), -1) };
      }
    } while (from !== undefined);
    return undefined;
  }

  if (!canLeaveOut(list, keyword)) {
    yield* read(whole, false);
    return;
  }
  const rest = expected > FEW ? whole : yield* read(whole, true);
  if (!rest || isEmpty(rest)) return;
  for await (const stretch of stretchesWith(view, list, keyword, rest, direction)) yield* read(stretch, false);
}
