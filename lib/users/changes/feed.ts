import { readItemsByKey } from '../../dynamodb/batches.ts';
import { queryItems, rangeQuery } from '../../dynamodb/query.ts';
import type { Database } from '../database.ts';
import { restoreChange } from '../journal/entry.ts';
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
import { firstKept } from './periods.ts';
import { type FeedToken, isGone, readToken, writeToken } from './token.ts';

/** A change as the feed shows it. Without `by` and `user` if it was erased. */
export interface ShownChange extends FeedChange {
  by?: string | undefined;
  /** After a deletion: as it was. */
  user?: User;
}

export interface FeedQuery {
  /** A token, or `now`. Undefined: from the oldest change that is kept. */
  after: string | undefined;
  size: number;
}

/** Places of the feed, and the token of the one after them. */
export interface FeedPlaces {
  changes: FeedChange[];
  next: string;
}

export interface FeedPage extends FeedPlaces {
  changes: ShownChange[];
}

/** How much the clocks of functions may differ. */
const CLOCKS_DIFFER_MS = 300_000;

/** A batch of the fold has several changes, so a page of them takes fewer items. */
const CHANGES_PER_ITEM = 4;

/** The last batch whose changes are in the feed: they are kept before the next one is claimed. */
const lastKept = ({ batch, batchBefore, lastBatch }: Head): number => (batch.length > 0 ? batchBefore : lastBatch);

const afterEpoch = (head: Head, epoch: number, now: number): FeedToken => ({
  feed: head.feed,
  epoch: epoch + 1,
  place: 0,
  // A batch under way is kept on the day of its claim, however late a fold ends it.
  since: Math.min(now - CLOCKS_DIFFER_MS, head.batch.length > 0 ? head.claimedAt : now),
});

/** @throws {ServiceError} 410 for a token of another feed, or of a place that the feed has not reached */
function placeOf(head: Head, text: string): FeedToken {
  const token = readToken(text);
  if ((token.feed !== '' && token.feed !== head.feed) || token.epoch > head.epoch + 1) throw isGone();
  return { ...token, feed: head.feed };
}

/** D12. The parts of a day, from a place on. Strongly consistent: a reader that passes a late batch never sees it. */
async function* readParts(
  { dynamo, tables }: Database,
  day: string,
  { feed, epoch, place }: FeedToken,
  { expected, now }: { expected: number; now: number },
): AsyncGenerator<FeedPart> {
  const partition = ['pk', feedOf(feed, day)] as const;
  const input = rangeQuery({ table: tables.directory, partition, sort: 'sk', from: feedKey(epoch, place) });
  for await (const item of queryItems(dynamo, { ...input, ConsistentRead: true }, expected))
    if (!isExpired(now, item)) yield toFeedPart(item);
}

/** The days, from a moment on, that can have changes. */
function daysSince(moment: number, { claimedAt }: Head, now: number): string[] {
  const last = dayOf(Math.max(now, claimedAt));
  const days: string[] = [];
  for (let time = moment; dayOf(time) < last; time += DAY_MS) days.push(dayOf(time));
  return [...days, last];
}

/** Whether a part has a place, or begins where all batches before the place end. Otherwise some changes have expired. */
const follows = ({ epoch, place }: FeedToken, part: FeedPart): boolean =>
  part.epoch === epoch ? part.place <= place : part.previous < epoch;

/** The place after some changes of a part. */
function placeAfter({ feed, since }: FeedToken, part: FeedPart, taken: number, day: string): FeedToken {
  const place = part.place + taken;
  const isWhole = place === part.of;
  return {
    feed,
    epoch: part.epoch + Number(isWhole),
    place: isWhole ? 0 : place,
    since: Math.max(since, Date.parse(day)),
  };
}

/** D13. Some changes, each with its user and its writer from the history, as it is now: what was erased is not shown. A read unit for each. */
export async function showChanges(database: Database, changes: readonly FeedChange[]): Promise<ShownChange[]> {
  if (changes.length === 0) return [];
  const items = await readItemsByKey(database, database.tables.directory, changes.map(historyKey));
  const nameOf = ({ pk, sk }: Record<string, unknown>) => `${pk} ${sk}`;
  const kept = new Map(items.map((item) => [nameOf(item), item]));
  const now = database.runtime.now();
  return changes.map((change) => {
    const item = kept.get(nameOf(historyKey(change)));
    if (!item || !isKept(item) || isExpired(now, item)) return change;
    const { by, before, after } = restoreChange(change, item);
    const user = after ?? before;
    return { ...change, by, ...(user && { user }) };
  });
}

/**
 * All users' changes, in the order in which they were folded: each once, and each user's in the order of versions. A read
 * unit for the head, and one for each day or 4 KB that is read of the feed.
 *
 * @param historyDays for how long changes are kept, unless the head says it
 * @throws {ServiceError} 400 for a text that is not a token, 410 when changes after it are no longer kept
 */
export async function readPlaces(
  database: Database,
  historyDays: number,
  { after, size }: FeedQuery,
): Promise<FeedPlaces> {
  const now = database.runtime.now();
  const head = await readHead(database);
  if (after === 'now') return { changes: [], next: writeToken(afterEpoch(head, head.lastBatch, now)) };
  const kept = firstKept(head, historyDays, now);
  // Undefined before the oldest change: the first one that comes is the oldest.
  let next = after === undefined ? undefined : placeOf(head, after);
  const start = next ?? { feed: head.feed, place: 0, ...kept };
  const changes: FeedChange[] = [];
  const days = daysSince(Math.max(start.since, kept.since - CLOCKS_DIFFER_MS), head, now);
  const asked = { expected: Math.ceil(size / CHANGES_PER_ITEM), now };
  for (const day of days) {
    for await (const part of readParts(database, day, next ?? start, asked)) {
      if (next && !follows(next, part)) throw isGone();
      const skipped = next?.epoch === part.epoch ? next.place - part.place : 0;
      const taken = part.changes.slice(skipped, skipped + size - changes.length);
      changes.push(...taken);
      next = placeAfter(next ?? start, part, skipped + taken.length, day);
      if (changes.length === size) return { changes, next: writeToken(next) };
    }
  }
  const end = afterEpoch(head, lastKept(head), now);
  next ??= end;
  if (next.epoch < end.epoch) throw isGone();
  return { changes, next: writeToken({ ...next, since: Math.max(next.since, end.since) }) };
}

/** The same, with users. */
export async function readFeed(database: Database, historyDays: number, query: FeedQuery): Promise<FeedPage> {
  const { changes, next } = await readPlaces(database, historyDays, query);
  return { changes: await showChanges(database, changes), next };
}
