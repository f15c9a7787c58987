/** The record of an Idempotency-Key, which a create writes besides the user. */
import { createHash } from 'node:crypto';
import { get, type TransactionItem } from '../dynamodb/index.ts';
import type { Database } from './database.ts';
import type { UserFields } from './user.ts';

/** How long a key stands for its request, in seconds. */
const KEPT_S = 24 * 60 * 60;

const partitionOf = (key: string): string => `idempotency:${key}`;

const SORT_KEY = '-';

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
    Item: { pk: partitionOf(key), sk: SORT_KEY, id, hash: hashOf(fields), ttl: secondsOf(runtime) + KEPT_S },
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
