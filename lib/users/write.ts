import type { TableNames } from '../dynamodb/tables.ts';
import type { TransactionItem } from '../dynamodb/transact.ts';
import { indexKeys } from './keys.ts';
import { COUNT_PARTITION, countSortKey } from './statistics/counts.ts';
import type { User } from './user.ts';

/** A user around a write: nothing before a create, nothing after a delete. */
export interface Change {
  before: User | undefined;
  after: User | undefined;
}

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

/** By how much each count row changes; rows that stay as they are are left alone. */
function countChanges(changes: readonly Change[], shard: number): [sortKey: string, delta: number][] {
  const deltas = new Map<string, number>();
  const add = (user: User | undefined, delta: number) => {
    if (!user) return;
    const key = countSortKey(user, shard);
    deltas.set(key, (deltas.get(key) ?? 0) + delta);
  };
  for (const { before, after } of changes) {
    add(before, -1);
    add(after, 1);
  }
  return [...deltas].filter(([, delta]) => delta !== 0);
}

const countItem = (tables: TableNames, sortKey: string, delta: number): TransactionItem => ({
  Update: {
    TableName: tables.directory,
    Key: { pk: COUNT_PARTITION, sk: sortKey },
    UpdateExpression: 'ADD n :delta',
    ExpressionAttributeValues: { ':delta': delta },
  },
});

/**
 * The one transaction of some changes: the users, guarded, then what is counted of them. Statistics change only here,
 * so they cannot drift from the users.
 */
export const transactionOf = (tables: TableNames, changes: readonly Change[], shard: number): TransactionItem[] => [
  ...changes.map((change) => userItem(tables, change)),
  ...countChanges(changes, shard).map(([sortKey, delta]) => countItem(tables, sortKey, delta)),
];
