import { readItemsByKey } from '../../dynamodb/batchGet.ts';
import { queryItems, rangeQuery } from '../../dynamodb/query.ts';
import type { Database } from '../database.ts';
import { restoreChange, type WrittenChange } from '../journal/entry.ts';
import type { Head } from '../journal/head.ts';
import { readHead } from '../journal/items.ts';
import type { User } from '../user.ts';
import {
  DAY_MS,
  dayOf,
  type FeedChange,
  type FeedPart,
  feedKey,
  feedOf,
  historyKey,
  isExpired,
  isKept,
  toFeedPart,
} from './items.ts';
import { type FeedToken, isGone, readToken, writeToken } from './token.ts';

/** A change as the feed shows it. Without `by` and `user` if it was erased. */
export interface ShownChange extends FeedChange {
  by?: string | undefined;
  /** After a deletion: as it was. */
  user?: User;
}

export interface FeedQuery {
  /** A token, or `now`. Absent: from the oldest change that is kept. */
  after: string | undefined;
  size: number;
}

export interface FeedPage {
  changes: ShownChange[];
  /** The token of the place after them. */
  next: string;
}

/** How much the clocks of functions may differ. */
const CLOCKS_DIFFER_MS = 300_000;

/** Batches have some ten changes, so about so many items have a page of them. */
const CHANGES_PER_ITEM = 4;

/** The last batch whose changes must be in the feed: that one has been kept before the next is claimed. */
const settled = ({ batch, batchBefore, lastBatch }: Head): number => (batch.length > 0 ? batchBefore : lastBatch);

/** @throws {ServiceError} 410 for a token of another feed, or of one that has not come so far */
function startOf(head: Head, after: string, now: number): FeedToken {
  if (after === 'now') return { feed: head.feed, epoch: head.lastBatch + 1, place: 0, since: now - CLOCKS_DIFFER_MS };
  const token = readToken(after);
  if ((token.feed !== '' && token.feed !== head.feed) || token.epoch > head.epoch + 1) throw isGone();
  return { ...token, feed: head.feed };
}

/** The part that a place is in, or that follows when everything before the place has been read. @throws {ServiceError} 410 when some are missing */
function requireNext({ epoch, place }: FeedToken, part: FeedPart): void {
  const isSame = part.epoch === epoch && part.place <= place;
  const isAfter = part.epoch >= epoch && place === 0 && part.place === 0 && part.previous < epoch;
  if (!isSame && !isAfter) throw isGone();
}

/** D12. The parts of a day, from a place on. Strongly consistent: a batch that is skipped would be skipped for ever. */
async function* readParts(
  { dynamo, tables, runtime }: Database,
  day: string,
  { feed, epoch, place }: FeedToken,
  expected: number,
): AsyncGenerator<FeedPart> {
  const input = rangeQuery({
    table: tables.directory,
    partition: ['pk', feedOf(feed, day)],
    sort: 'sk',
    from: feedKey(epoch, place),
  });
  for await (const item of queryItems(dynamo, { ...input, ConsistentRead: true }, expected))
    if (!isExpired(runtime.now(), item)) yield toFeedPart(item);
}

/** The days on which changes of the feed from a place on can be kept. */
function daysOf({ since }: FeedToken, head: Head, now: number, historyDays: number): string[] {
  const first = Math.max(since, now - historyDays * DAY_MS - CLOCKS_DIFFER_MS);
  const last = Math.max(now, head.claimedAt);
  const days = [dayOf(last)];
  for (let time = first; dayOf(time) < dayOf(last); time += DAY_MS) days.splice(-1, 0, dayOf(time));
  return days;
}

/** D13. What the history has of some changes. */
async function readKept(database: Database, places: readonly FeedChange[]): Promise<ShownChange[]> {
  const items = await readItemsByKey(database, database.tables.directory, places.map(historyKey));
  const nameOf = ({ pk, sk }: Record<string, unknown>) => `${pk} ${sk}`;
  const kept = new Map(items.map((item) => [nameOf(item), item]));
  const now = database.runtime.now();
  return places.map((place) => {
    const item = kept.get(nameOf(historyKey(place)));
    return item && isKept(item) && !isExpired(now, item) ? { ...place, ...shown(restoreChange(place, item)) } : place;
  });
}

const shown = ({ by, before, after }: WrittenChange): Pick<ShownChange, 'by' | 'user'> => {
  const user = after ?? before;
  return { ...(by !== undefined && { by }), ...(user && { user }) };
};

/**
 * Changes of all users, in the order in which they were folded: each once, those of a user in the order of their versions. One
 * read unit for the head and one for each day that is read, and one for each change.
 *
 * @param historyDays for how long changes are kept
 * @throws {ServiceError} 400 for a token that is none, 410 when changes after it are no longer kept
 */
export async function readFeed(database: Database, historyDays: number, { after, size }: FeedQuery): Promise<FeedPage> {
  const now = database.runtime.now();
  const head = await readHead(database);
  const isOldest = after === undefined;
  const start = isOldest ? { feed: head.feed, epoch: 0, place: 0, since: 0 } : startOf(head, after, now);
  const places: FeedChange[] = [];
  let next = start;
  for (const day of daysOf(start, head, now, historyDays)) {
    for await (const part of readParts(database, day, next, Math.ceil(size / CHANGES_PER_ITEM))) {
      if (!isOldest || next !== start) requireNext(next, part);
      const from = part.epoch === next.epoch ? next.place - part.place : 0;
      const taken = part.changes.slice(from, from + size - places.length);
      places.push(...taken);
      const place = part.place + from + taken.length;
      const isWhole = place === part.of;
      const since = Math.max(next.since, Date.parse(day));
      next = { ...next, epoch: part.epoch + Number(isWhole), place: isWhole ? 0 : place, since };
      if (places.length === size) break;
    }
    if (places.length === size) break;
  }
  if (places.length < size) {
    // All of the settled ones have been there, or have expired.
    const last = settled(head);
    if (next !== start || !isOldest) {
      if (last >= next.epoch) throw isGone();
    } else next = { ...next, epoch: last + 1 };
    next = { ...next, since: Math.max(next.since, now - CLOCKS_DIFFER_MS) };
  }
  return { changes: places.length > 0 ? await readKept(database, places) : [], next: writeToken(next) };
}
