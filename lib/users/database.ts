/** The tables that a function reads and writes, and users in them. */
import { get, type Item } from '../dynamodb/index.ts';
import { LIMITS as OF_REPLICA, type Limits as ReplicaLimits, type Storage } from '../replica/index.ts';
import { userNotFound } from './errors.ts';
import { pickFields, type User } from './user.ts';

/** The limits of the service, with those of the replica. Tests lower them, so that small data reaches them. */
export interface Limits extends ReplicaLimits {
  /** The users of a step of an edit. A process that ends leaves that many to be looked at again. */
  editStep: number;
  /** Milliseconds for which a call of an edit begins to work on users. */
  editMs: number;
  /** The most names of attributes: lists have a column for each. */
  attributeNames: number;
}

export const LIMITS: Limits = { ...OF_REPLICA, editStep: 100, editMs: 20_000, attributeNames: 500 };

export type TableNames = Storage['tables'];

/** The tables, clock and settings that a function needs to read or write users. */
export interface Database extends Storage {
  limits: Limits;
  /** Whether no two users may have the same e-mail address. */
  uniqueEmails?: boolean;
  /** For how many days changes are kept. 0 unless it is given: not at all. */
  historyDays?: number;
}

/** The `entity` of every user. An item without it is no user: see lives.ts. */
export const USER = 'user';

/** An item of the Users table: a user under its own names, so that whatever reads the table can. `entity` is the key of an index. */
export const userItem = (user: User): Item => ({ entity: USER, ...user });

/** Whether an item of the Users table is a user. A life has none: see lives.ts. */
export const isUser = ({ entity }: Item): boolean => entity === USER;

/** A user from an item of the table or of an index. */
export function toUser(item: Item): User {
  const { id, version, updatedAt } = item;
  const known = updatedAt !== undefined && { updatedAt: Number(updatedAt) };
  return { id: Number(id), version: Number(version), ...pickFields(item), ...known };
}

/** D1. Strongly consistent. One read unit for 4 KB. Undefined if there is no such user. */
export async function findUser(database: Database, id: number): Promise<User | undefined> {
  const item = await get(database, database.tables.users, { id });
  return item && toUser(item);
}

/** @throws {ServiceError} 404 for an unknown id */
export async function readUser(database: Database, id: number): Promise<User> {
  const user = await findUser(database, id);
  if (!user) throw userNotFound(id);
  return user;
}
