import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { userNotFound } from '../ground/index.ts';
import type { Database } from './database.ts';
import type { User } from './user.ts';
import { toUser } from './userItem.ts';

/** D1. Strongly consistent. One read unit for 4 KB. Undefined if there is no such user. */
export async function findUser({ dynamo, tables }: Database, id: number): Promise<User | undefined> {
  const { Item } = await dynamo.send(new GetCommand({ TableName: tables.users, Key: { id }, ConsistentRead: true }));
  return Item && toUser(Item);
}

/** @throws {ServiceError} 404 for an unknown id */
export async function readUser(database: Database, id: number): Promise<User> {
  const user = await findUser(database, id);
  if (!user) throw userNotFound(id);
  return user;
}
