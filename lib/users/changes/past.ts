import { ServiceError, userNotFound } from '../../errors.ts';
import type { Database } from '../database.ts';
import { creationTime } from '../ids.ts';
import { MAX_VERSION, type WrittenChange } from '../journal/entry.ts';
import { readEntriesOf, readHead } from '../journal/items.ts';
import { readUser } from '../read.ts';
import type { User } from '../user.ts';
import { readVersions } from './history.ts';
import { firstKept, requireKept } from './periods.ts';

export interface PastQuery {
  id: number;
  /** In Unix milliseconds. */
  moment: number;
}

/** Most users are written so rarely that all later changes come in one read unit. */
const EXPECTED_CHANGES = 8;

const isGone = (): ServiceError =>
  new ServiceError('past-gone', 'What is kept of the past of this user does not reach back to this moment');

/** A user's changes, newest first, until the one that was in effect at the moment, or one that was erased. */
async function changesUntil(database: Database, { id, moment }: PastQuery): Promise<(WrittenChange | 'erased')[]> {
  const changes: (WrittenChange | 'erased')[] = [];
  for await (const { change } of readVersions(database, id, MAX_VERSION, EXPECTED_CHANGES)) {
    if (change === 'expired') break;
    changes.push(change);
    if (change === 'erased' || change.at <= moment) break;
  }
  return changes;
}

/** A user without kept changes. Asks for the past again if there was a change in between. */
async function readUnchanged(database: Database, historyDays: number, query: PastQuery): Promise<User> {
  const user = await readUser(database, query.id);
  const entries = await readEntriesOf(database, query.id);
  return entries.length === 0 ? user : readUserAt(database, historyDays, query);
}

/**
 * The user as of a moment, by the clocks of those who wrote. Read units: one for the journal and one for each 4 KB of later changes;
 * up to three more if no change before the moment is kept.
 *
 * @param historyDays for how long changes are kept, unless the head says it
 * @throws {ServiceError} 404 if there was no such user then, or nothing is kept here, 410 if changes since then are no longer kept, or were erased
 */
export async function readUserAt(database: Database, historyDays: number, query: PastQuery): Promise<User> {
  requireKept(historyDays);
  const { id, moment } = query;
  if (moment < creationTime(id)) throw userNotFound(id);
  const changes = await changesUntil(database, query);
  const found = changes.find((change) => change === 'erased' || change.at <= moment) ?? changes.at(-1);
  if (found === 'erased') throw isGone();
  const isBefore = found === undefined || found.at > moment;
  if (isBefore && moment < firstKept(await readHead(database), historyDays, database.runtime.now()).since)
    throw isGone();
  const user = found ? (isBefore ? found.before : found.after) : await readUnchanged(database, historyDays, query);
  if (!user) throw userNotFound(id);
  return user;
}
