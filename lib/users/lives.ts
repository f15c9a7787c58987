/**
 * The beginning of a life with a given id. A user can be created again with the id of one who is gone. Entries of the journal, kept changes and ETags
 * are told apart by version, so a new life begins with a version above all of the earlier ones: milliseconds since 2020. No user is written so often.
 *
 * The highest version that a life has begun with stands for a day in the Users table, which is never made anew, under the id with a minus. It
 * refuses attempts to create an earlier life that arrive after a later one has ended, and versions of a clock that is behind.
 */
import { get, type TransactionItem } from '../dynamodb/index.ts';
import type { Database } from './database.ts';
import { millisecondsOf, timeAt } from './ids.ts';

const DAY_S = 24 * 60 * 60;

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
