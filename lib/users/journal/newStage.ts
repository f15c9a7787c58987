/**
 * A stage begins with empty tables and no head. Its journal has every write there ever was, until the first fold makes the head.
 * A lost head looks the same, and so does an empty Directory table while the Users table has users: the journal does not know all
 * users then, and a service that went on would say that they do not exist.
 */
import { queryItems, rangeQuery } from '../../dynamodb/query.ts';
import { unavailable } from '../../errors.ts';
import type { Database, TableNames } from '../database.ts';
import type { JournalEntry } from './entry.ts';
import { FORMAT, type Head, isMade, makeHead } from './head.ts';
import { type Items, readItems } from './items.ts';

export const noStatistics = ({ users, directory }: TableNames): string =>
  `Table ${directory} has no statistics of the users in ${users}: "npm run verify -- --restored" computes them`;

/** @throws {ServiceError} 503 when the statistics have an earlier format */
export function requireFormat({ tables }: Database, { format }: Head): void {
  if (format === undefined || format === FORMAT) return;
  throw unavailable(
    `Table ${tables.directory} has statistics of format ${format}: "npm run verify -- --repair" brings them to format ${FORMAT}`,
  );
}

type Known = ReadonlyMap<number, JournalEntry>;

/** The oldest entry of each user. Entries are newest first, so it is the one that is left. */
const oldestOf = ({ entries }: Items): Known => new Map(entries.map((entry) => [entry.id, entry]));

/** Whether it has writes of a user who is older than it is. */
const hasPast = (known: Known): boolean => [...known.values()].some(({ before }) => before !== undefined);

/** D9. All users, by an index: what it lacks was written a moment ago, and is in the journal. */
const allUsers = ({ dynamo, tables }: Database, expected: number) =>
  queryItems(dynamo, rangeQuery({ table: tables.users, index: 'byId', partition: ['k', 'user'] }), expected);

/**
 * Takes a journal without a head for a new stage's journal, if it knows every user there is: then it tells all of them, whatever
 * was lost. Users are read until one is unknown, so at most one more than the journal has.
 *
 * @throws {ServiceError} 503 when there are users that the journal does not know, or the statistics have an earlier format
 */
export async function requireNewStage(database: Database, first: Items): Promise<Items> {
  requireFormat(database, first.head);
  let [read, known] = [first, oldestOf(first)];
  for await (const { id } of allUsers(database, known.size + 1)) {
    if (known.has(Number(id))) continue;
    // A user who was created after the journal was read is in the next reading.
    read = await readItems(database);
    if (isMade(read.head)) return read;
    known = oldestOf(read);
    if (!known.has(Number(id))) throw unavailable(noStatistics(database.tables));
  }
  if (!hasPast(known)) return read;
  const again = await readItems(database);
  if (isMade(again.head)) return again;
  throw unavailable(noStatistics(database.tables));
}

/**
 * Makes the head of a new stage, if it has none.
 *
 * @throws {ServiceError} 503 when there are users that the journal does not know
 */
export async function beginStage(database: Database): Promise<void> {
  const read = await readItems(database);
  if (isMade(read.head)) return;
  const { head } = await requireNewStage(database, read);
  if (!isMade(head)) await makeHead(database, head);
}
