/**
 * The items that a create writes besides the user: the record of its Idempotency-Key, and the beginning of a life with a given id.
 *
 * A user can be created again with the id of one who is gone. Entries of the journal, kept changes and ETags are told apart by
 * version, so a new life begins with a version above all of the earlier ones: milliseconds since 2020. No user is written so often.
 *
 * The highest version that a life has begun with stands for a day in the Users table, which is never made anew, under the id with a minus. It
 * refuses attempts to create an earlier life that arrive after a later one has ended, and versions of a clock that is behind.
 */
import { createHash } from 'node:crypto';
import { get, type TransactionItem } from '../dynamodb/index.ts';
import type { Database } from './database.ts';
import { millisecondsOf, timeAt } from './ids.ts';
import type { UserFields } from './user.ts';

const partitionOf = (key: string): string => `idempotency:${key}`;

const SORT_KEY = '-';

const DAY_S = 24 * 60 * 60;

/** A create that a client may send again: the key that it chose, and the fields of the user. */
export interface IdempotentCreate {
  key: string;
  fields: UserFields;
}

/** `pickFields` puts fields into a fixed order, so equal fields have equal hashes. */
export const hashOf = (fields: UserFields): string =>
  createHash('sha256').update(JSON.stringify(fields)).digest('base64url');

const secondsOf = ({ now }: Database['runtime']): number => Math.floor(now() / 1_000);

/**
 * Adds the record to the transaction that creates the user. The key stands for its request for a day; then DynamoDB's time to live removes
 * the record within days. Its condition fails if the key already stands for a request.
 */
export const recordItem = (
  { tables, runtime }: Database,
  { key, fields }: IdempotentCreate,
  id: number,
): TransactionItem => ({
  Put: {
    TableName: tables.directory,
    Item: { pk: partitionOf(key), sk: SORT_KEY, id, hash: hashOf(fields), ttl: secondsOf(runtime) + DAY_S },
    ConditionExpression: 'attribute_not_exists(pk) OR #ttl <= :now',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':now': secondsOf(runtime) },
  },
});

/** D5. The user that a key has created. Strongly consistent. A record that has expired, but is not yet removed, counts as absent. */
export async function readRecord(database: Database, key: string) {
  const item = await get(database, database.tables.directory, { pk: partitionOf(key), sk: SORT_KEY });
  const isValid = Number(item?.ttl) > secondsOf(database.runtime);
  return item && isValid ? { id: Number(item.id), hash: String(item.hash) } : undefined;
}

/** More versions than a user gets in a life, and while the clocks of two functions differ. */
const LEAP = 60_000;

const keyOf = (id: number) => ({ id: -id });

/** The version of a life that begins now. @param least a version above an earlier life's */
export const firstVersion = ({ runtime }: Database, least: number): number =>
  Math.max(millisecondsOf(runtime.now()), least);

/** Guards a life in the transaction that creates its user. It begins a leap above the one before, whose writes have versions, too. */
export const lifeItem = ({ tables }: Database, id: number, version: number): TransactionItem => ({
  Put: {
    TableName: tables.users,
    Item: { ...keyOf(id), version, ttl: Math.floor(timeAt(version) / 1_000) + DAY_S },
    ConditionExpression: 'attribute_not_exists(id) OR version <= :most',
    ExpressionAttributeValues: { ':most': version - LEAP },
  },
});

/** U3. The least version of the next life, after an attempt with another one was refused. Strongly consistent. */
export async function readNextLife(database: Database, id: number, refused: number): Promise<number> {
  const item = await get(database, database.tables.users, keyOf(id));
  return Math.max(refused, Number(item?.version ?? 0)) + LEAP;
}
