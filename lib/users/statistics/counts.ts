import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { queryItems } from '../../dynamodb/query.ts';
import type { TableNames } from '../../dynamodb/tables.ts';
import { LAST_CODE_POINT, SEPARATOR } from '../keys.ts';
import type { UserFields } from '../user.ts';
import { type Cell, cellOf, mergeCells, toCell } from './cells.ts';
import type { Row } from './rows.ts';

const PARTITION = 'count';

/** Rows among which the writers of a contended cell spread. Their sum counts; one row alone may be negative. */
export const COUNT_SHARDS = 16;

/** What the sort keys of all shards of a cell begin with. */
const cellPrefix = (user: UserFields): string => cellOf(user) + SEPARATOR;

/** The row that counts a user in its cell. */
export const countRow = (user: UserFields, shard: number): Row => ({ pk: PARTITION, sk: cellPrefix(user) + shard });

/** D1. Strongly consistent: together with the writes' transactions this makes every total exact. */
export async function readCounts(dynamo: DynamoDBDocumentClient, tables: TableNames): Promise<Cell[]> {
  const rows = queryItems(dynamo, {
    TableName: tables.directory,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': PARTITION },
    ConsistentRead: true,
  });
  const cells: Cell[] = [];
  for await (const { sk, n } of rows) cells.push(toCell(String(sk), Number(n)));
  return mergeCells(cells);
}

/** D2. The rows of a user's cell, strongly consistent. */
export async function readCountRows(
  dynamo: DynamoDBDocumentClient,
  tables: TableNames,
  user: UserFields,
): Promise<{ row: Row; n: number }[]> {
  const rows = queryItems(dynamo, {
    TableName: tables.directory,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':pk': PARTITION,
      ':first': cellPrefix(user),
      ':last': cellPrefix(user) + LAST_CODE_POINT,
    },
    ConsistentRead: true,
  });
  const found: { row: Row; n: number }[] = [];
  for await (const { sk, n } of rows) found.push({ row: { pk: PARTITION, sk: String(sk) }, n: Number(n) });
  return found;
}
