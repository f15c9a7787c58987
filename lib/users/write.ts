import type { TableNames } from '../dynamodb/tables.ts';
import type { TransactionItem } from '../dynamodb/transact.ts';
import { indexKeys } from './keys.ts';
import { cellOf } from './statistics/cells.ts';
import { type CountRow, countRow } from './statistics/counts.ts';
import { lastNameRows } from './statistics/lastNames.ts';
import { createRowChanges, deleteRow, type RowChange, updateRow } from './statistics/rows.ts';
import { ZONED_FIELDS, type ZonedField, zoneOf } from './statistics/zones.ts';
import { fold } from './text.ts';
import type { User, UserFields } from './user.ts';

/** A user around a write: nothing before a create, nothing after a delete. */
export interface Change {
  before: User | undefined;
  after: User | undefined;
}

/** What the statistics that a change takes a user out of, or brings to new zones, held just before. */
export interface Remains {
  /** Users with its last name. */
  lastName: number;
  /** The rows of its status and country. */
  cell: readonly CountRow[];
}

export const leavesLastName = ({ before, after }: Change): boolean =>
  Boolean(before?.lastName) && fold(before?.lastName ?? '') !== fold(after?.lastName ?? '');

export const leavesCell = ({ before, after }: Change): boolean =>
  before !== undefined && (after === undefined || cellOf(before) !== cellOf(after));

const unlessExists = { ConditionExpression: 'attribute_not_exists(id)' };

/** Optimistic locking: every write raises the version, so an equal one means that nobody wrote in between. */
const ifVersion = ({ version }: User) => ({
  ConditionExpression: 'version = :version',
  ExpressionAttributeValues: { ':version': version },
});

function userItem(tables: TableNames, { before, after }: Change): TransactionItem {
  const condition = before ? ifVersion(before) : unlessExists;
  return after
    ? { Put: { TableName: tables.users, Item: { ...after, ...indexKeys(after) }, ...condition } }
    : { Delete: { TableName: tables.users, Key: { id: before?.id }, ...condition } };
}

const staysInCell = ({ before, after }: Change): boolean =>
  before !== undefined && after !== undefined && cellOf(before) === cellOf(after);

/** The zones of its cell into which a change brings a user. */
function enteredZones(change: Change): [field: ZonedField, zone: number][] {
  const { before, after } = change;
  if (!after) return [];
  const zones = ZONED_FIELDS.map((field) => [field, zoneOf(after, field)] as [ZonedField, number]);
  return staysInCell(change) && before ? zones.filter(([field, zone]) => zone !== zoneOf(before, field)) : zones;
}

export const changesZone = (change: Change): boolean => staysInCell(change) && enteredZones(change).length > 0;

/** Within a cell most zones are known already; then its row is left alone. */
function newZones(change: Change, { cell }: Remains): [field: ZonedField, zone: number][] {
  const isKnown = (field: ZonedField, zone: number) =>
    staysInCell(change) && cell.some(({ zones }) => zones[field].has(zone));
  return enteredZones(change).filter(([field, zone]) => !isKnown(field, zone));
}

function countChanges(changes: readonly Change[], shard: number, remains: Remains): RowChange[] {
  const rows = createRowChanges();
  for (const change of changes) {
    const { before, after } = change;
    if (before) rows.add(countRow(before, shard), -1);
    if (after) rows.add(countRow(after, shard), 1);
    if (after) for (const [field, zone] of newZones(change, remains)) rows.join(countRow(after, shard), field, zone);
  }
  return rows.all();
}

function lastNameChanges(changes: readonly Change[]): RowChange[] {
  const rows = createRowChanges();
  for (const { before, after } of changes) {
    if (before) for (const row of lastNameRows(before)) rows.add(row, -1, cellOf(before));
    if (after) for (const row of lastNameRows(after)) rows.add(row, 1, cellOf(after));
  }
  return rows.all();
}

/** The last user of a cell takes the cell's rows along, whichever shards they are. */
function countItems(tables: TableNames, change: RowChange, { cell }: Remains): TransactionItem[] {
  const remaining = cell.reduce((sum, { n }) => sum + n, 0);
  const isLast = change.n < 0 && remaining + change.n <= 0;
  return isLast ? cell.map(({ row, n }) => deleteRow(tables, row, n)) : [updateRow(tables, change)];
}

/** The last user with a name takes the name's rows along. The condition holds off another who would leave zeros behind. */
function lastNameItem(tables: TableNames, change: RowChange, { lastName }: Remains): TransactionItem {
  if (change.n >= 0) return updateRow(tables, change);
  return lastName + change.n <= 0 ? deleteRow(tables, change.row, lastName) : updateRow(tables, change, -change.n);
}

export const NOTHING_LEFT: Remains = { lastName: 0, cell: [] };

/**
 * The one transaction of some changes: the users, guarded, then what is counted of them. Statistics change only here,
 * so they cannot drift from the users.
 */
export const transactionOf = (
  tables: TableNames,
  changes: readonly Change[],
  shard: number,
  remains: Remains = NOTHING_LEFT,
): TransactionItem[] => [
  ...changes.map((change) => userItem(tables, change)),
  ...countChanges(changes, shard, remains).flatMap((change) => countItems(tables, change, remains)),
  ...lastNameChanges(changes).map((change) => lastNameItem(tables, change, remains)),
];

/** DynamoDB allows a transaction this many items: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const MAX_TRANSACTION_ITEMS = 100;

/** Cuts creates into groups that one transaction each has room for. */
export function* transactionGroups(users: Iterable<UserFields>): Generator<UserFields[]> {
  let group: UserFields[] = [];
  let rows = new Set<string>();
  for (const user of users) {
    const own = [countRow(user, 0), ...lastNameRows(user)].map(({ pk, sk }) => JSON.stringify([pk, sk]));
    const together = new Set([...rows, ...own]);
    if (group.length + 1 + together.size > MAX_TRANSACTION_ITEMS) {
      yield group;
      group = [];
      rows = new Set(own);
    } else {
      rows = together;
    }
    group.push(user);
  }
  if (group.length > 0) yield group;
}
