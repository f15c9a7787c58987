import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { ServiceError, userNotFound } from '../errors.ts';
import type { Database } from './database.ts';
import type { User } from './user.ts';
import { toUser } from './userItem.ts';

/**
 * D1. Strongly consistent. One read unit for 4 KB.
 *
 * @throws {ServiceError} 404 for an unknown id
 */
export async function readUser({ dynamo, tables }: Database, id: number): Promise<User> {
  const { Item } = await dynamo.send(new GetCommand({ TableName: tables.users, Key: { id }, ConsistentRead: true }));
  if (!Item) throw userNotFound(id);
  return toUser(Item);
}

export const isThere = (database: Database, id: number): Promise<boolean> =>
  readUser(database, id).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ServiceError && error.status === 404) return false;
      throw error;
    },
  );
