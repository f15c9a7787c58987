import type { TableNames } from '../dynamodb/tables.ts';
import type { TransactionItem } from '../dynamodb/transact.ts';
import { indexKeys } from './keys.ts';
import { cellOf } from './statistics/cells.ts';
import { countRow, toZones } from './statistics/counts.ts';
import { lastNameRows } from './statistics/lastNames.ts';
import { createRowChanges, type Row, type RowChange, type RowContent, rowItem } from './statistics/rows.ts';
import { ZONED_FIELDS, type ZonedField, zoneOf } from './statistics/zones.ts';
import { fold } from './text.ts';
import type { CountedUser, User, UserFields } from './user.ts';

/** A user around a write: nothing before a create, nothing after a delete. */
export interface Change {
  before: CountedUser | undefined;
  after: User | undefined;
}

/** What the rows held just before that a change takes a user out of, or brings to new zones. */
export interface Held {
  /** The row that counts the user in its status and country. */
  count: RowContent;
  /** Each of the rows of its last name: they hold the same. */
  lastName: RowContent;
}

export const NOTHING_HELD: Held = { count: {}, lastName: {} };

const staysInCell = ({ before, after }: Change): boolean =>
  before !== undefined && after !== undefined && cellOf(before) === cellOf(after);

const keepsLastName = ({ before, after }: Change): boolean =>
  after !== undefined && fold(before?.lastName ?? '') === fold(after.lastName ?? '');

const unlessExists = { ConditionExpression: 'attribute_not_exists(id)' };

/** Optimistic locking: every write raises the version, so an equal one means that nobody wrote in between. */
const ifVersion = ({ version }: User) => ({
  ConditionExpression: 'version = :version',
  ExpressionAttributeValues: { ':version': version },
});

function userItem(tables: TableNames, change: Change, shard: number): TransactionItem {
  const { before, after } = change;
  const condition = before ? ifVersion(before) : unlessExists;
  return after
    ? {
        Put: {
          TableName: tables.users,
          Item: { ...after, shard: shardOf(change, shard), ...indexKeys(after) },
          ...condition,
        },
      }
    : { Delete: { TableName: tables.users, Key: { id: before?.id }, ...condition } };
}

/** A user stays in the row that counts it as long as it stays in the cell; `shard` is for one that comes. */
const shardOf = (change: Change, shard: number): number =>
  staysInCell(change) ? (change.before?.shard ?? shard) : shard;

/** The zones of its cell into which a change brings a user. */
function enteredZones(change: Change): [field: ZonedField, zone: number][] {
  const { before, after } = change;
  if (!after) return [];
  const zones = ZONED_FIELDS.map((field) => [field, zoneOf(after, field)] as [ZonedField, number]);
  return staysInCell(change) && before ? zones.filter(([field, zone]) => zone !== zoneOf(before, field)) : zones;
}

/** Within a cell most zones are known already; then its row is left alone. The user itself keeps the row in being. */
function newZones(change: Change, { count }: Held): [field: ZonedField, zone: number][] {
  const known = toZones(staysInCell(change) ? count : {});
  return enteredZones(change).filter(([field, zone]) => !known[field].has(zone));
}

function countChanges(changes: readonly Change[], shard: number, held: Held): RowChange[] {
  const rows = createRowChanges();
  for (const change of changes) {
    const { before, after } = change;
    if (before) rows.add(countRow(before, before.shard), -1, 'n');
    if (!after) continue;
    const row = countRow(after, shardOf(change, shard));
    rows.add(row, 1, 'n');
    for (const [field, zone] of newZones(change, held)) rows.join(row, field, zone);
  }
  return rows.all();
}

function lastNameChanges(changes: readonly Change[]): RowChange[] {
  const rows = createRowChanges();
  for (const { before, after } of changes) {
    if (before) for (const row of lastNameRows(before)) rows.add(row, -1, 'n', cellOf(before));
    if (after) for (const row of lastNameRows(after)) rows.add(row, 1, 'n', cellOf(after));
  }
  return rows.all();
}

/** The rows that have to be read before a change; most changes leave nothing, and need none. */
export function rowsLeft(change: Change): { count: Row | undefined; lastName: Row | undefined } {
  const { before } = change;
  if (!before) return { count: undefined, lastName: undefined };
  const isKept = staysInCell(change);
  return {
    count: isKept && enteredZones(change).length === 0 ? undefined : countRow(before, before.shard),
    lastName: isKept && keepsLastName(change) ? undefined : lastNameRows(before)[0],
  };
}

/**
 * The one transaction of some changes: the users, guarded, then what is counted of them. Statistics change only here,
 * so they cannot drift from the users.
 *
 * @param shard of the count row for users that come into a cell
 * @param held needed where a user leaves something, and then for one change alone
 */
export const transactionOf = (
  tables: TableNames,
  changes: readonly Change[],
  shard: number,
  held: Held = NOTHING_HELD,
): TransactionItem[] => [
  ...changes.map((change) => userItem(tables, change, shard)),
  ...countChanges(changes, shard, held).map((change) => rowItem(tables, change, held.count)),
  ...lastNameChanges(changes).map((change) => rowItem(tables, change, held.lastName)),
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
