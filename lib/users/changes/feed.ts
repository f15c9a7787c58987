import { readItemsByKey } from '../../dynamodb/batches.ts';
import { queryItems, rangeQuery } from '../../dynamodb/query.ts';
import type { Database } from '../database.ts';
import { restoreChange } from '../journal/entry.ts';
import type { Head } from '../journal/head.ts';
import { readHead } from '../journal/items.ts';
import type { User } from '../user.ts';
import {
  type FeedChange,
  type FeedPart,
  type FeedPlace,
  feedKey,
  feedOf,
  historyKey,
  isExpired,
  isKept,
  toFeedPart,
} from './items.ts';
import { firstKept } from './periods.ts';
import { type FeedToken, isGone, readToken, writeToken } from './token.ts';

/** What the feed knows from the head. */
type FeedHead = Pick<Head, 'feed' | 'periods' | 'epoch' | 'batch' | 'lastBatch' | 'batchBefore' | 'claimedAt'>;

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

/** At a new stage nothing has been kept yet. */
const NO_HEAD: FeedHead = { feed: '', periods: [], epoch: 0, batch: [], lastBatch: 0, batchBefore: 0, claimedAt: 0 };

/** A batch of the fold has several changes, so a page of them takes fewer items. */
const CHANGES_PER_ITEM = 4;

/** The last batch whose changes are in the feed: they are kept before the next one is claimed. */
const lastKept = ({ batch, batchBefore, lastBatch }: FeedHead): number => (batch.length > 0 ? batchBefore : lastBatch);

/** The place after a batch. The next one is claimed no earlier than the last one, which may still be under way. */
const afterEpoch = ({ feed, claimedAt }: FeedHead, epoch: number): FeedToken => ({
  feed,
  claimedAt,
  epoch: epoch + 1,
  place: 0,
});

/** @throws {ServiceError} 410 for a token of another feed, or of a place that the feed has not reached */
function placeOf(head: FeedHead, text: string): FeedToken {
  const token = readToken(text);
  if ((token.feed !== '' && token.feed !== head.feed) || token.epoch > head.epoch + 1) throw isGone();
  return { ...token, feed: head.feed };
}

/** D12. The parts of a feed, from a place on. Strongly consistent: a reader that passes a late batch never sees it. */
async function* readParts(
  { dynamo, tables, runtime }: Database,
  { feed, ...place }: FeedToken,
  expected: number,
): AsyncGenerator<FeedPart> {
  const range = { table: tables.directory, partition: ['pk', feedOf(feed)] as const, sort: 'sk', from: feedKey(place) };
  const now = runtime.now();
  for await (const item of queryItems(dynamo, { ...rangeQuery(range), ConsistentRead: true }, expected))
    if (!isExpired(now, item)) yield toFeedPart(item);
}

/** Whether a part has a place, or begins where all batches before the place end. Otherwise some changes have expired. */
const follows = ({ epoch, place }: FeedToken, part: FeedPart): boolean =>
  part.epoch === epoch ? part.place <= place : part.previous < epoch;

/** The place after some changes of a part. */
function placeAfter({ claimedAt, epoch, place, of }: FeedPart, taken: number): FeedPlace {
  const isWhole = place + taken === of;
  return { claimedAt, epoch: epoch + Number(isWhole), place: isWhole ? 0 : place + taken };
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
    const restored = restoreChange(change, item);
    if (!restored) return change;
    const { by, before, after } = restored;
    const user = after ?? before;
    return { ...change, by, ...(user && { user }) };
  });
}

/**
 * All users' changes, in the order in which they were folded: each once, and each user's in the order of versions. A read
 * unit for the head, and one for each 4 KB that is read of the feed.
 *
 * @param historyDays for how long changes are kept, unless the head says it
 * @throws {ServiceError} 400 for a text that is not a token, 410 when changes after it are no longer kept
 */
export async function readPlaces(
  database: Database,
  historyDays: number,
  { after, size }: FeedQuery,
): Promise<FeedPlaces> {
  const head = (await readHead(database)) ?? NO_HEAD;
  if (after === 'now') return { changes: [], next: writeToken(afterEpoch(head, head.lastBatch)) };
  const { epoch, since: claimedAt } = firstKept(head, historyDays, database.runtime.now());
  // Undefined before the oldest change: the first one that comes is the oldest.
  let next = after === undefined ? undefined : placeOf(head, after);
  const start = next ?? { feed: head.feed, claimedAt, epoch, place: 0 };
  const changes: FeedChange[] = [];
  for await (const part of readParts(database, start, Math.ceil(size / CHANGES_PER_ITEM))) {
    if (next && !follows(next, part)) throw isGone();
    const skipped = next?.epoch === part.epoch ? next.place - part.place : 0;
    const taken = part.changes.slice(skipped, skipped + size - changes.length);
    changes.push(...taken);
    next = { feed: head.feed, ...placeAfter(part, skipped + taken.length) };
    if (changes.length === size) return { changes, next: writeToken(next) };
  }
  const end = afterEpoch(head, lastKept(head));
  next ??= end;
  if (next.epoch < end.epoch) throw isGone();
  return { changes, next: writeToken(next) };
}
