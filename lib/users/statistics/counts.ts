import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { queryItems } from '../../dynamodb/query.ts';
import type { TableNames } from '../../dynamodb/tables.ts';
import { LAST_CODE_POINT, SEPARATOR } from '../keys.ts';
import type { UserFields } from '../user.ts';
import { type Cell, cellOf, mergeCells, toCell } from './cells.ts';
import type { Row } from './rows.ts';
import { ZONED_FIELDS, type ZonedField, type Zones } from './zones.ts';

const PARTITION = 'count';

/** Rows among which the writers of a contended cell spread. Their sum counts; one row alone may be negative. */
export const COUNT_SHARDS = 16;

/** What the sort keys of all shards of a cell begin with. */
const cellPrefix = (user: UserFields): string => cellOf(user) + SEPARATOR;

/** The row that counts a user in its cell. */
export const countRow = (user: UserFields, shard: number): Row => ({ pk: PARTITION, sk: cellPrefix(user) + shard });

/** The zones that a row remembers: one set of numbers a field. */
function toZones(row: Record<string, unknown>): Zones {
  const sets = ZONED_FIELDS.map((field) => [field, row[field] instanceof Set ? row[field] : new Set()] as const);
  return Object.fromEntries(sets) as Record<ZonedField, Set<number>>;
}

/** D1. Strongly consistent: together with the writes' transactions this makes every total exact. */
export async function readCounts(dynamo: DynamoDBDocumentClient, tables: TableNames): Promise<Cell[]> {
  const rows = queryItems(dynamo, {
    TableName: tables.directory,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': PARTITION },
    ConsistentRead: true,
  });
  const cells: Cell[] = [];
  for await (const row of rows) cells.push({ ...toCell(String(row.sk), Number(row.n ?? 0)), zones: toZones(row) });
  return mergeCells(cells);
}

/** A row that counts a cell, or one shard of it. */
export interface CountRow {
  row: Row;
  n: number;
  zones: Zones;
}

/** D2. The rows of a user's cell, strongly consistent. */
export async function readCountRows(
  dynamo: DynamoDBDocumentClient,
  tables: TableNames,
  user: UserFields,
): Promise<CountRow[]> {
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
  const found: CountRow[] = [];
  for await (const row of rows) {
    found.push({ row: { pk: PARTITION, sk: String(row.sk) }, n: Number(row.n ?? 0), zones: toZones(row) });
  }
  return found;
}
