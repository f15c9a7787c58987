import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { queryItems } from '../../dynamodb/query.ts';
import type { TableNames } from '../../dynamodb/tables.ts';
import { mark, SEPARATOR } from '../keys.ts';
import type { User } from '../user.ts';

/** How many users have this status and this country, each given as its mark in the keys. */
export interface CountCell {
  status: string;
  country: string;
  users: number;
}

export const COUNT_PARTITION = 'count';

/** Rows among which the writers of a contended cell spread. The sum counts; one row alone may be negative. */
export const COUNT_SHARDS = 16;

export const countSortKey = (user: User, shard: number): string =>
  [mark(user.status), mark(user.country), shard].join(SEPARATOR);

/** A sort key back into its cell. */
function toCell({ sk, n }: Record<string, unknown>): CountCell {
  const [status = '', country = ''] = String(sk).split(SEPARATOR);
  return { status, country, users: Number(n) };
}

/** D1. Strongly consistent: together with the writes' transactions this makes every total exact. */
export async function readCounts(dynamo: DynamoDBDocumentClient, tables: TableNames): Promise<CountCell[]> {
  const rows = queryItems(dynamo, {
    TableName: tables.directory,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': COUNT_PARTITION },
    ConsistentRead: true,
  });
  const cells = new Map<string, CountCell>();
  for await (const row of rows) {
    const cell = toCell(row);
    const key = cell.status + SEPARATOR + cell.country;
    cells.set(key, { ...cell, users: cell.users + (cells.get(key)?.users ?? 0) });
  }
  return [...cells.values()].filter(({ users }) => users > 0);
}
