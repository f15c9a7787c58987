import type { DynamoDBDocumentClient, QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { queryItems } from '../../dynamodb/query.ts';
import { type TableNames, USERS_INDEXES, type UsersIndex } from '../../dynamodb/tables.ts';
import { idsOfSameMillisecond } from '../ids.ts';
import { INDEX_OF_PROPERTY, KIND, runPrefix, type SortProperty, sortText } from '../keys.ts';
import { toUser, type User } from '../user.ts';

export interface ScanDependencies {
  dynamo: DynamoDBDocumentClient;
  tables: TableNames;
}

/** One partition of an index. */
export interface Partition {
  index: UsersIndex;
  value: string;
}

export interface ScanOptions {
  forward: boolean;
  /** How many entries the caller expects to need: a short read costs less, a long one fewer round trips. */
  expected: number;
}

/** Above this a page of 1 MB, DynamoDB's largest, is no waste. */
const LARGEST_LIMIT = 2_000;

const limitFor = (expected: number): { Limit?: number } =>
  expected <= LARGEST_LIMIT ? { Limit: Math.max(1, Math.ceil(expected)) } : {};

type Condition = Required<Pick<QueryCommandInput, 'KeyConditionExpression' | 'ExpressionAttributeValues'>>;

async function* scan(
  { dynamo, tables }: ScanDependencies,
  { index, value }: Partition,
  { forward, expected }: ScanOptions,
  sortCondition?: Condition,
): AsyncGenerator<User, void, undefined> {
  const { partitionKey, sortKey } = USERS_INDEXES[index];
  const items = queryItems(dynamo, {
    TableName: tables.users,
    IndexName: index,
    KeyConditionExpression: ['#partition = :partition', sortCondition?.KeyConditionExpression]
      .filter(Boolean)
      .join(' AND '),
    ExpressionAttributeNames: { '#partition': partitionKey, ...(sortCondition && { '#sort': sortKey }) },
    ExpressionAttributeValues: { ':partition': value, ...sortCondition?.ExpressionAttributeValues },
    ScanIndexForward: forward,
    ...limitFor(expected),
  });
  for await (const item of items) yield toUser(item);
}

/** U2, U3, U5: the users of a partition in the order of its sort key, or backwards. */
export const scanIndex = (dependencies: ScanDependencies, partition: Partition, options: ScanOptions) =>
  scan(dependencies, partition, options);

/** U2, U5: the users of a partition with an id above `after`, by id ascending. */
export const scanAfter = (dependencies: ScanDependencies, partition: Partition, after: number, expected: number) =>
  scan(
    dependencies,
    partition,
    { forward: true, expected },
    {
      KeyConditionExpression: '#sort > :after',
      ExpressionAttributeValues: { ':after': after },
    },
  );

function sameValue(property: SortProperty, user: User): Condition {
  if (property !== 'createdAt') {
    return {
      KeyConditionExpression: 'begins_with(#sort, :prefix)',
      ExpressionAttributeValues: { ':prefix': runPrefix(sortText(user, property)) },
    };
  }
  const [first, last] = idsOfSameMillisecond(user.id);
  return {
    KeyConditionExpression: '#sort BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':first': first, ':last': last },
  };
}

/** U4: the users with the same value of `property` as `user`, by id. */
export const scanRun = (
  dependencies: ScanDependencies,
  partition: Partition,
  options: ScanOptions & { property: SortProperty; user: User },
) => scan(dependencies, partition, options, sameValue(options.property, options.user));

/** All users in the order of a property, when an index has that order. */
export function partitionInOrderOf(property: SortProperty): Partition | undefined {
  const index = INDEX_OF_PROPERTY[property];
  return index && { index, value: KIND };
}
