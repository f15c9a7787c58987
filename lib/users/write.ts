import { type TransactionItem, type TransactionOutcome, transact } from '../dynamodb/transact.ts';
import type { Database } from './database.ts';
import { type Change, entryItem } from './journal/entry.ts';
import { indexKeys } from './keys.ts';
import { pickFields, type User } from './user.ts';

const unlessExists = (key: string) => ({ ConditionExpression: `attribute_not_exists(${key})` });

/** Optimistic locking: every write raises the version, so an equal one means that nobody wrote in between. */
const ifVersion = ({ version }: User) => ({
  ConditionExpression: 'version = :version',
  ExpressionAttributeValues: { ':version': version },
});

/** A user, as stored: its fields are one attribute, so that an index has them all, whichever there will be. */
export const userItem = (user: User): Record<string, unknown> => ({
  id: user.id,
  version: user.version,
  fields: pickFields(user),
  ...indexKeys(user),
});

function writeUser(TableName: string, { id, before, after }: Change): TransactionItem {
  const condition = before ? ifVersion(before) : unlessExists('id');
  return after
    ? { Put: { TableName, Item: userItem(after), ...condition } }
    : { Delete: { TableName, Key: { id }, ...condition } };
}

/** The items of a write: the user and its entry in the journal. */
export const changeItems = ({ tables, runtime }: Database, change: Change): TransactionItem[] => [
  writeUser(tables.users, change),
  {
    Put: { TableName: tables.directory, Item: entryItem(change, runtime.now()), ...unlessExists('pk') },
  },
];

/**
 * Writes changes and what belongs to them, all or nothing. No item is shared with other writes.
 *
 * @returns `refused` when another writer was there first
 */
export const writeChanges = (
  database: Database,
  changes: readonly Change[],
  more: readonly TransactionItem[] = [],
): Promise<TransactionOutcome> =>
  transact(database, [...changes.flatMap((change) => changeItems(database, change)), ...more]);
