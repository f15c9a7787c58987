/**
 * A stage begins with empty tables and no head. Its journal has every write there ever was, until the first fold makes the head.
 * A lost head looks the same, and so do one of an earlier format, and an empty Directory table while the Users table has users: the
 * journal does not know all users then, and a service that went on would say that they do not exist.
 */
import { queryItems, rangeQuery } from '../../dynamodb/query.ts';
import { unavailable } from '../../errors.ts';
import type { Database, TableNames } from '../database.ts';
import { makeHead } from './head.ts';
import { type Items, readItems } from './items.ts';

const noStatistics = ({ users, directory }: TableNames): string =>
  `Table ${directory} has no statistics of the users in ${users}: "npm run verify -- --restored" computes them`;

/** D9. Whether a journal without a head knows every user there is from the beginning: then it tells all of them, whatever was lost. */
async function knowsAll({ dynamo, tables }: Database, { entries }: Items): Promise<boolean> {
  // Entries are newest first, so the oldest one of each user is left.
  const oldest = new Map(entries.map((entry) => [entry.id, entry]));
  if ([...oldest.values()].some(({ before }) => before !== undefined)) return false;
  // What an index lacks was written a moment ago, and is in the journal.
  const all = rangeQuery({ table: tables.users, index: 'byId', partition: ['k', 'user'] });
  for await (const { id } of queryItems(dynamo, all, oldest.size + 1)) if (!oldest.has(Number(id))) return false;
  return true;
}

/** A user who was created after the journal was read is in the next reading. */
const MAX_READINGS = 10;

/**
 * The head and the journal. A journal without a head is a new stage's, if it knows every user there is.
 *
 * @throws {ServiceError} 503 when there are users that the journal does not know
 */
export async function readStage(database: Database): Promise<Items> {
  for (let reading = 1; reading <= MAX_READINGS; reading++) {
    const read = await readItems(database);
    if (read.head.isMade || (await knowsAll(database, read))) return read;
  }
  throw unavailable(noStatistics(database.tables));
}

/**
 * Makes the head of a new stage, if it has none.
 *
 * @returns false if it has one
 * @throws {ServiceError} 503 when there are users that the journal does not know
 */
export async function beginStage(database: Database): Promise<boolean> {
  const { head } = await readStage(database);
  return !head.isMade && makeHead(database, head);
}
