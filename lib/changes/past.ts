import type { ServiceError } from '../ground/index.ts';
import { readHead } from '../replica/index.ts';
import type { Database } from '../users/database.ts';
import type { WrittenChange } from '../users/entry.ts';
import { userError, userNotFound } from '../users/errors.ts';
import { creationTime } from '../users/ids.ts';
import type { User } from '../users/user.ts';
import { readUser } from '../users/userItem.ts';
import { readVersions } from './history.ts';
import { firstKept, requireKept } from './periods.ts';

export interface PastQuery {
  id: number;
  /** In Unix milliseconds. */
  moment: number;
}

const isGone = (): ServiceError =>
  userError('past-gone', 'What is kept of the past of this user does not reach back to this moment');

/** The last kept change until a moment and the first one after it, undefined if there is none; or that one after it was erased. */
async function changesAround(database: Database, { id, moment }: PastQuery) {
  let later: WrittenChange | undefined;
  for await (const { change } of readVersions(database, id)) {
    if (change === 'expired') break;
    if ('erased' in change) return change.erased <= moment ? { later } : { later, isErased: true };
    if (change.at <= moment) return { last: change, later };
    later = change;
  }
  return { later };
}

/** The user as it is. Asks for the past again if there was a change after the moment in between. */
async function readUnchanged(database: Database, query: PastQuery): Promise<User> {
  const user = await readUser(database, query.id);
  const { later } = await changesAround(database, query);
  return later ? readUserAt(database, query) : user;
}

/**
 * The user as of a moment, by the clocks of those who wrote. Read units: one for the head, one for the journal and one for each 4 KB of
 * later changes; three more if there are none, and no change shortly before the moment is kept.
 *
 * @throws {ServiceError} 404 if there was no such user then, or nothing is kept here, 410 if changes since then are no longer kept, or were erased
 */
export async function readUserAt(database: Database, query: PastQuery): Promise<User> {
  requireKept(database);
  const { id, moment } = query;
  if (moment < creationTime(id)) throw userNotFound(id);
  const [head, { last, later, isErased }] = await Promise.all([readHead(database), changesAround(database, query)]);
  if (isErased) throw isGone();
  const { since } = firstKept(head ?? { periods: [] }, database.historyDays ?? 0, database.runtime.now());
  // A change before that may have been kept for longer than others that came after it.
  const isInEffect = last !== undefined && last.at >= since;
  if (!isInEffect && moment < since) throw isGone();
  const user = isInEffect ? last.after : later ? later.before : await readUnchanged(database, query);
  if (!user) throw userNotFound(id);
  return user;
}
