import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { DynamoAccess } from './client.ts';
import type { Item } from './items.ts';

/** Keys of one partition, from one to another, both included. */
export interface KeyRange {
  table: string;
  index?: string;
  partition: readonly [name: string, value: string];
  /** The name of the sort key, if it is bounded. */
  sort?: string;
  from?: string | number | undefined;
  to?: string | number | undefined;
}

/** How a range is read, where it is not all of it, in its order, strongly consistent. */
export interface ReadOptions {
  /**
   * How many items the caller expects to need. Every item of a page is paid for, so a page is not larger than the number still expected. A
   * caller that needs more gets pages of half the expected number.
   */
  expected?: number;
  isDescending?: boolean;
  /** Eventually consistent, at half the price, which a reading of an index always is. */
  isWeak?: boolean;
  /** The names of the attributes that are wanted. An item costs the same. */
  only?: readonly string[];
}

/** The items that one call has read. */
export interface Page {
  items: Item[];
  /** The read units that it cost. 0 if the store has told no price. */
  units: number;
  isLast: boolean;
}

const conditionOf = ({ sort, from, to }: KeyRange): string => {
  if (from !== undefined && to !== undefined) return ` AND #${sort} BETWEEN :from AND :to`;
  return from !== undefined ? ` AND #${sort} >= :from` : to !== undefined ? ` AND #${sort} <= :to` : '';
};

/** The input of a Query. */
function queryOf(range: KeyRange, { isDescending, isWeak = false, only = [] }: ReadOptions = {}): QueryCommandInput {
  const { table, index, partition, sort = '', from, to } = range;
  const condition = conditionOf(range);
  const names = [partition[0], ...(condition ? [sort] : []), ...only];
  return {
    TableName: table,
    ...(index === undefined ? { ConsistentRead: !isWeak } : { IndexName: index }),
    ...(isDescending && { ScanIndexForward: false }),
    KeyConditionExpression: `#${partition[0]} = :partition${condition}`,
    ...(only.length > 0 && { ProjectionExpression: only.map((name) => `#${name}`).join(', ') }),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ':partition': partition[1],
      ...(from !== undefined && { ':from': from }),
      ...(to !== undefined && { ':to': to }),
    },
  };
}

const limitFor = (items: number): { Limit?: number } =>
  Number.isFinite(items) ? { Limit: Math.max(1, Math.ceil(items)) } : {};

/** A range page by page. The next one is read when the caller asks for it. A page may have no item, and not be the last. */
export async function* queryPages(
  { dynamo }: Pick<DynamoAccess, 'dynamo'>,
  range: KeyRange,
  reading: ReadOptions = {},
): AsyncGenerator<Page, void, undefined> {
  const { expected = Number.POSITIVE_INFINITY } = reading;
  const input = queryOf(range, reading);
  let from: QueryCommandInput['ExclusiveStartKey'];
  let stillExpected = expected;
  do {
    const limit = limitFor(stillExpected > 0 ? stillExpected : expected / 2);
    const page = await dynamo.send(new QueryCommand({ ...input, ...limit, ExclusiveStartKey: from }));
    const { Items: items = [], ConsumedCapacity } = page;
    from = page.LastEvaluatedKey;
    yield { items, units: ConsumedCapacity?.CapacityUnits ?? 0, isLast: from === undefined };
    stillExpected -= items.length;
  } while (from !== undefined);
}

/**
 * The items of a range, in its order: a read unit for each 4 KB of a page, at least one. The next page is read when the caller asks for more.
 *
 * @throws {ServiceError} 503 when DynamoDB stays throttled or unreachable
 */
export async function* query(
  access: Pick<DynamoAccess, 'dynamo'>,
  range: KeyRange,
  reading?: ReadOptions,
): AsyncGenerator<Item, void, undefined> {
  for await (const { items } of queryPages(access, range, reading)) yield* items;
}

/** The first item of a range, if there is one. */
export async function queryFirst(
  access: Pick<DynamoAccess, 'dynamo'>,
  range: KeyRange,
  reading?: ReadOptions,
): Promise<Item | undefined> {
  for await (const item of query(access, range, { ...reading, expected: 1 })) return item;
  return undefined;
}
