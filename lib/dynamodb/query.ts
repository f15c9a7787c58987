import { type DynamoDBDocumentClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';

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

const conditionOf = ({ from, to }: KeyRange): string => {
  if (from !== undefined && to !== undefined) return ' AND #sort BETWEEN :from AND :to';
  return from !== undefined ? ' AND #sort >= :from' : to !== undefined ? ' AND #sort <= :to' : '';
};

/** The input of a Query. Strongly consistent, which an index never is. */
export function rangeQuery(range: KeyRange): QueryCommandInput {
  const { table, index, partition, sort = '', from, to } = range;
  const condition = conditionOf(range);
  return {
    TableName: table,
    ...(index === undefined ? { ConsistentRead: true } : { IndexName: index }),
    KeyConditionExpression: `#partition = :partition${condition}`,
    ExpressionAttributeNames: { '#partition': partition[0], ...(condition && { '#sort': sort }) },
    ExpressionAttributeValues: {
      ':partition': partition[1],
      ...(from !== undefined && { ':from': from }),
      ...(to !== undefined && { ':to': to }),
    },
  };
}

const limitFor = (items: number): { Limit?: number } =>
  Number.isFinite(items) ? { Limit: Math.max(1, Math.ceil(items)) } : {};

/**
 * The items of a Query, in its order. The next page is read when the caller asks for more items.
 *
 * @param expected how many items the caller expects to need. Every item of a page is paid for, so a page is not larger than
 *   the number still expected. A caller that needs more gets pages of half the expected number.
 */
export async function* queryItems(
  dynamo: DynamoDBDocumentClient,
  input: QueryCommandInput,
  expected = Number.POSITIVE_INFINITY,
): AsyncGenerator<Record<string, unknown>, void, undefined> {
  let from = input.ExclusiveStartKey;
  let stillExpected = expected;
  do {
    const limit = limitFor(stillExpected > 0 ? stillExpected : expected / 2);
    const command = new QueryCommand({ ...input, ...limit, ExclusiveStartKey: from });
    const page = await dynamo.send(command);
    const items = page.Items ?? [];
    yield* items;
    stillExpected -= items.length;
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
}

/** The first item of a Query, if there is one. An empty page need not be the last page. */
export async function firstItem(
  dynamo: DynamoDBDocumentClient,
  input: QueryCommandInput,
): Promise<Record<string, unknown> | undefined> {
  for await (const item of queryItems(dynamo, input, 1)) return item;
  return undefined;
}
