import type { TransactionItem } from '../dynamodb/index.ts';
import { type Change, entryItem } from '../replica/entry.ts';
import type { Database } from './database.ts';
import { uniqueItems } from './unique.ts';
import type { User } from './user.ts';
import { userItem } from './userItem.ts';

const unlessExists = (key: string) => ({ ConditionExpression: `attribute_not_exists(${key})` });

/** Optimistic locking: every write raises the version, so an equal version means that nobody else has written. Undefined: there is no user. */
export const ifUnchanged = (user: User | undefined) =>
  user
    ? { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': user.version } }
    : unlessExists('id');

function writeUser(TableName: string, { id, before, after }: Change): TransactionItem {
  const condition = ifUnchanged(before);
  return after
    ? { Put: { TableName, Item: userItem(after), ...condition } }
    : { Delete: { TableName, Key: { id }, ...condition } };
}

/**
 * What a change writes in one transaction: the user, its entry in the journal, and the values that are only this user's. It touches no item that
 * writes of other users touch. It is refused when another writer was first.
 *
 * @param parts of the journal, as some head has said
 */
export const changeItems = (database: Database, change: Change, parts = 1): TransactionItem[] => [
  writeUser(database.tables.users, change),
  {
    Put: {
      TableName: database.tables.directory,
      Item: entryItem(change, database.runtime.now(), parts),
      ...unlessExists('pk'),
    },
  },
  ...uniqueItems(database, change),
];
