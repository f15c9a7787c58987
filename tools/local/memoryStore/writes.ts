import type * as Dynamo from '@aws-sdk/lib-dynamodb';
import { invalid } from './errors.ts';
import { holds, type Item, updated } from './expressions.ts';
import type { Table } from './table.ts';
import { readUnits, sizeOf, sizeOfItem, writeUnits } from './units.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html */
const MAX_ITEM_BYTES = 400 * 1_024;
export const MAX_SORT_KEY_BYTES = 1_024;

export type Write = NonNullable<Dynamo.TransactWriteCommandInput['TransactItems']>[number];

/** A change of one item, and whether its condition holds. */
export interface Change {
  table: Table;
  isAllowed: boolean;
  before: Item | undefined;
  after: Item | undefined;
}

const withoutUndefined = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));

/** The item after a write. */
function resultOf({ Put, Delete, Update }: Write, before: Item | undefined): Item | undefined {
  if (Put) return withoutUndefined(Put.Item ?? {});
  if (Update) return updated(Update.UpdateExpression ?? '', before ?? { ...Update.Key }, Update);
  return Delete ? undefined : before;
}

/** @throws ValidationException when the item would be larger than DynamoDB takes */
export function changeOf(tableOf: (name: string | undefined) => Table, write: Write): Change {
  const { Put, Delete, Update, ConditionCheck } = write;
  const request = Put ?? Delete ?? Update ?? ConditionCheck;
  const table = tableOf(request?.TableName);
  const key = (Put ? Put.Item : (Delete ?? Update ?? ConditionCheck)?.Key) ?? {};
  const before = table.rows.get(key);
  const isAllowed = holds(request?.ConditionExpression, before ?? {}, request ?? {});
  const after = resultOf(write, before);
  if (after && sizeOfItem(after) > MAX_ITEM_BYTES) throw invalid('Item size has exceeded the maximum allowed size');
  if (sizeOf(after?.[table.rows.sortKey ?? '']) > MAX_SORT_KEY_BYTES) throw invalid('Sort key is too long');
  return { table, isAllowed, before, after };
}

type UnitsOf = (change: Change) => number;

function sumByTable(changes: readonly Change[], unitsOf: UnitsOf) {
  const units = new Map<string, number>();
  for (const change of changes) units.set(change.table.name, (units.get(change.table.name) ?? 0) + unitsOf(change));
  return [...units].map(([TableName, CapacityUnits]) => ({ TableName, CapacityUnits }));
}

/** The units of some changes together, by table. @param times 2 in a transaction */
export const consumedBy = (changes: readonly Change[], times: 1 | 2 = 1) =>
  sumByTable(changes, ({ table, before, after }) => writeUnits(table.indexRows, before, after, times));

/** The units of a transaction whose token is known: it reads the items. */
export const consumedByReading = (changes: readonly Change[]) =>
  sumByTable(changes, ({ before }) => 2 * readUnits(sizeOfItem(before ?? {}), true));
