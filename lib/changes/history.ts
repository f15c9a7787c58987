/** The past of one user: the changes, the user as of a moment, and how both are erased. */
import { putItems, query } from '../dynamodb/index.ts';
import type { ServiceError } from '../ground/index.ts';
import { bytesSent, MOST_SENT } from '../ground/index.ts';
import { askForMerge, MAX_VERSION, readEntriesOf, readHead } from '../replica/index.ts';
import { type Database, readUser } from '../users/database.ts';
import { restoreChange, type WrittenChange } from '../users/entry.ts';
import { userError, userNotFound } from '../users/errors.ts';
import { creationTime } from '../users/ids.ts';
import type { User } from '../users/user.ts';
import { erasedItem, expiryOf, firstKept, historyOf, isExpired, isKept, requireKept, versionKey } from './items.ts';

export interface HistoryQuery {
  id: number;
  /** Only changes of lower versions. Absent: from the newest. */
  before: number | undefined;
  size: number;
}

export interface HistoryPage {
  changes: WrittenChange[];
  /** The `before` of the next page. Absent if there is none. */
  next?: number;
}

/** Most users are written so rarely that all changes that are asked for come in one read unit. */
const EXPECTED_CHANGES = 8;

type Item = Record<string, unknown>;

/** D14. The items of a user's history, the newest first. Strongly consistent. */
function readItemsOf(database: Database, id: number, below: number, expected = Number.POSITIVE_INFINITY) {
  const range = { table: database.tables.directory, partition: ['pk', historyOf(id)] as const, sort: 'sk' };
  return query(database, { ...range, to: versionKey(below - 1) }, { isDescending: true, expected });
}

/** A change, or the moment of one that was erased. */
const changeOf = (id: number, item: Item): WrittenChange | { erased: number } =>
  (isKept(item) ? restoreChange({ id, version: Number(item.sk) }, item) : undefined) ?? {
    erased: Number(item.was ?? item.at),
  };

/**
 * The changes of a user below a version, the newest first, current at once: what the fold has not kept yet is in the journal. One read unit for
 * the journal, one for each 4 KB of the history.
 */
export async function* readVersions(database: Database, id: number, below = MAX_VERSION, expected = EXPECTED_CHANGES) {
  // The journal first: an entry that has left it by then is in the history.
  const read = await readEntriesOf(database, id);
  const entries = read
    .filter(({ version }) => version < below)
    .flatMap((entry) => restoreChange(entry, { ...entry }) ?? []);
  const now = database.runtime.now();
  let next = 0;
  for await (const item of readItemsOf(database, id, below, expected)) {
    const version = Number(item.sk);
    for (let change = entries[next]; change && change.version >= version; change = entries[++next])
      if (change.version > version) yield { version: change.version, change };
    yield { version, change: isExpired(now, item) ? ('expired' as const) : changeOf(id, item) };
  }
  for (const change of entries.slice(next)) yield { version: change.version, change };
}

/** The changes of a user, the newest first. @throws {ServiceError} 404 where nothing is kept */
export async function readHistory(database: Database, { id, size, before }: HistoryQuery): Promise<HistoryPage> {
  requireKept(database);
  const changes: WrittenChange[] = [];
  let [seen, bytes, next] = [0, 0, before ?? MAX_VERSION];
  for await (const { version, change } of readVersions(database, id, next, size + 1)) {
    if (++seen > size || bytes > MOST_SENT) return { changes, next };
    if (typeof change === 'object' && 'at' in change) {
      changes.push(change);
      // The user itself, and of both at most all.
      bytes += bytesSent(change) + bytesSent(change.after ?? change.before ?? {});
    }
    next = version;
  }
  return { changes };
}

/**
 * Erases what is kept of a user's changes. Entries in the journal are erased for readers at once, and leave it without being kept.
 * One write unit for each change that is not folded yet; once it is folded, one for each begun kilobyte of it. None for what was erased
 * before.
 */
export async function eraseHistory(database: Database, id: number): Promise<void> {
  const { runtime, historyDays = 0 } = database;
  // A day longer than the place in the feed that an entry still gets.
  const ttl = expiryOf(runtime.now(), historyDays + 1);
  const entries = await readEntriesOf(database, id);
  const items = new Map(entries.map((entry) => [entry.version, erasedItem(entry, ttl)]));
  for await (const item of readItemsOf(database, id, MAX_VERSION)) {
    const version = Number(item.sk);
    // A change that is erased already is not written again: a call that runs out of time is repeated, and goes on.
    if (isKept(item)) items.set(version, erasedItem({ id, version, at: Number(item.at) }, Number(item.ttl)));
    else items.delete(version);
  }
  await putItems(database, database.tables.directory, [...items.values()]);
  // Bases and deltas may have what the user was.
  await askForMerge(database);
}

export interface PastQuery {
  id: number;
  /** In Unix milliseconds. */
  moment: number;
}

const isGone = (): ServiceError =>
  userError('past-gone', 'The kept changes of this user do not reach back to this moment');

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
