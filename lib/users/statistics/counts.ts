import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { queryItems } from '../../dynamodb/query.ts';
import type { TableNames } from '../../dynamodb/tables.ts';
import { SEPARATOR } from '../keys.ts';
import type { UserFields } from '../user.ts';
import { type Cell, cellOf, mergeCells, toCell } from './cells.ts';
import type { Row, RowContent } from './rows.ts';
import { ZONED_FIELDS, type ZonedField, type Zones } from './zones.ts';

export const COUNT_PARTITION = 'count';

/** Rows among which the users of a contended cell spread; each is counted in one of them, from coming to going. */
export const COUNT_SHARDS = 16;

/** What the sort keys of all shards of a cell begin with. */
const cellPrefix = (user: UserFields): string => cellOf(user) + SEPARATOR;

/** The row that counts a user in its cell. */
export const countRow = (user: UserFields, shard: number): Row => ({
  pk: COUNT_PARTITION,
  sk: cellPrefix(user) + shard,
});

/** The cell of a row that counts users in one; undefined of other rows. */
export const cellOfRow = ({ pk, sk }: Row): string | undefined =>
  pk === COUNT_PARTITION ? sk.slice(0, Math.max(sk.lastIndexOf(SEPARATOR), 0)) : undefined;

/** The zones that a row remembers: one set of numbers a field. */
export function toZones(row: RowContent): Zones {
  const sets = ZONED_FIELDS.map((field) => [field, row[field] instanceof Set ? row[field] : new Set()] as const);
  return Object.fromEntries(sets) as Record<ZonedField, Set<number>>;
}

/** D1. Strongly consistent: together with the writes' transactions this makes every total exact. */
export async function readCounts(dynamo: DynamoDBDocumentClient, tables: TableNames): Promise<Cell[]> {
  const rows = queryItems(dynamo, {
    TableName: tables.directory,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': COUNT_PARTITION },
    ConsistentRead: true,
  });
  const cells: Cell[] = [];
  for await (const row of rows) cells.push({ ...toCell(String(row.sk), Number(row.n ?? 0)), zones: toZones(row) });
  return mergeCells(cells);
}
