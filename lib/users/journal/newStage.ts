/**
 * A stage begins with empty tables and no head. Its journal has every write there ever was, until the first fold makes the head.
 * A lost head looks the same, and so does an empty Directory table while the Users table has users: the journal does not know all
 * users then, and a service that went on would say that they do not exist.
 */
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { rangeQuery } from '../../dynamodb/query.ts';
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

/** Users from before the head was lost have the lowest ids. Several are read because the clocks that ids come from differ a little. */
const LOOK_AT = 20;

/** D9. The users with the lowest ids, by an index: what it lacks was written a moment ago, and is in the journal. */
async function oldestUsers({ dynamo, tables }: Database): Promise<number[]> {
  const all = rangeQuery({ table: tables.users, index: 'byId', partition: ['k', 'user'] });
  const { Items = [] } = await dynamo.send(new QueryCommand({ ...all, Limit: LOOK_AT }));
  return Items.map(({ id }) => Number(id));
}

/** Whether the journal has every write of these users, and of all users that it has any writes of. */
function knowsAll(entries: readonly JournalEntry[], ids: readonly number[]): boolean {
  // Newest first, so the oldest entry of each user is left.
  const oldest = new Map(entries.map((entry) => [entry.id, entry]));
  return ids.every((id) => oldest.has(id)) && [...oldest.values()].every(({ before }) => before === undefined);
}

/**
 * Takes a journal without a head for a new stage's journal, if it knows all users. A user who was created after it was read is in
 * the next reading.
 *
 * @throws {ServiceError} 503 when there are users that the journal does not know, or the statistics have an earlier format
 */
export async function requireNewStage(database: Database, read: Items): Promise<Items> {
  requireFormat(database, read.head);
  const ids = await oldestUsers(database);
  if (knowsAll(read.entries, ids)) return read;
  const items = await readItems(database);
  if (isMade(items.head) || knowsAll(items.entries, ids)) return items;
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
  if (!isMade(head)) await makeHead(database);
}
