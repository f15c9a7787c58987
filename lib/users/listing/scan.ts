import { type DynamoDBDocumentClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { queryItems } from '../../dynamodb/query.ts';
import { type TableNames, USERS_INDEXES } from '../../dynamodb/tables.ts';
import { idsOfSameMillisecond, MAX_ID } from '../ids.ts';
import { paddedId, runPrefix, type SortProperty, sortText } from '../keys.ts';
import { toUser, type User } from '../user.ts';
import { type Bounds, isRun, type Range } from './ranges.ts';

export interface ScanDependencies {
  dynamo: DynamoDBDocumentClient;
  tables: TableNames;
}

export interface ScanOptions {
  forward: boolean;
  /** How many entries the caller expects to need: a short read costs less, a long one takes fewer round trips. */
  expected: number;
  /** How many entries to pass over first. They cost what they would if they were read, but are not sent. */
  skip?: number;
}

function keyCondition({ index, value }: Range, bounds: Bounds | undefined) {
  const { partitionKey, sortKey } = USERS_INDEXES[index];
  return {
    KeyConditionExpression: `#partition = :partition${bounds ? ' AND #sort BETWEEN :first AND :last' : ''}`,
    ExpressionAttributeNames: { '#partition': partitionKey, ...(bounds && { '#sort': sortKey }) },
    ExpressionAttributeValues: { ':partition': value, ...(bounds && { ':first': bounds.first, ':last': bounds.last }) },
  };
}

/** Where a scan continues after `entries` entries, or undefined when there are no more. `Limit` also bounds a count. */
async function skipOver(
  dynamo: DynamoDBDocumentClient,
  input: QueryCommandInput,
  entries: number,
): Promise<QueryCommandInput['ExclusiveStartKey']> {
  let from: QueryCommandInput['ExclusiveStartKey'];
  for (let left = entries; left > 0; ) {
    const page = await dynamo.send(
      new QueryCommand({ ...input, Select: 'COUNT', Limit: left, ExclusiveStartKey: from }),
    );
    from = page.LastEvaluatedKey;
    if (from === undefined) return undefined;
    left -= page.Count ?? 0;
  }
  return from;
}

async function* scan(
  { dynamo, tables }: ScanDependencies,
  range: Range,
  bounds: Bounds | undefined,
  options: ScanOptions,
) {
  const { forward, expected, skip = 0 } = options;
  const input = {
    TableName: tables.users,
    IndexName: range.index,
    ScanIndexForward: forward,
    ...keyCondition(range, bounds),
  };
  const from = await skipOver(dynamo, input, skip);
  if (skip > 0 && from === undefined) return;
  const items = queryItems(dynamo, { ...input, ExclusiveStartKey: from }, expected);
  for await (const item of items) yield toUser(item);
}

/** The order keys of the users with one value, from one id to another. */
const runBounds = (run: string, first: number, last: number): Bounds => ({
  first: run + paddedId(first),
  last: run + paddedId(last),
});

/** The bounds of ids in a range that is in the order of ids: those of a run stand behind its value. */
const idBounds = (range: Range, first: number, last: number): Bounds =>
  isRun(range) ? runBounds(range.run, first, last) : { first, last };

function boundsOf(range: Range): Bounds | undefined {
  if (range.after !== undefined) return idBounds(range, range.after + 1, MAX_ID);
  return isRun(range) ? idBounds(range, 0, MAX_ID) : undefined;
}

/** U2, U3, U5: the users of a range in the order of its sort key, or backwards. */
export async function* scanRange(
  dependencies: ScanDependencies,
  range: Range,
  options: ScanOptions,
): AsyncGenerator<User> {
  const stretches = range.stretches ?? [boundsOf(range)];
  for (const bounds of options.forward ? stretches : stretches.toReversed())
    yield* scan(dependencies, range, bounds, options);
}

/** U4: the users of a range with the same value of `property`, which orders it, as `user`; by id, or backwards. */
export function scanRun(
  dependencies: ScanDependencies,
  range: Range,
  { property, user, ...options }: ScanOptions & { property: SortProperty; user: User },
): AsyncGenerator<User> {
  const bounds =
    property === 'createdAt'
      ? idBounds(range, ...idsOfSameMillisecond(user.id))
      : runBounds(runPrefix(sortText(user, property)), 0, MAX_ID);
  return scan(dependencies, range, bounds, options);
}
