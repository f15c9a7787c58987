/** The changes of all users, in the order in which they were folded. */
import { type KeyRange, query } from '../dynamodb/index.ts';
import { type Head, readHead } from '../replica/index.ts';
import type { Database } from '../users/database.ts';
import {
  type ChangeType,
  type FeedChange,
  type FeedPart,
  type FeedPlace,
  type FeedToken,
  feedKey,
  feedOf,
  firstKept,
  isExpired,
  isGone,
  MOST_LOOKED_AT,
  readToken,
  toFeedPart,
  writeToken,
} from './items.ts';

/** The members of the head that the feed needs. */
type FeedHead = Pick<Head, 'feed' | 'periods' | 'epoch' | 'batch' | 'lastBatch' | 'batchBefore' | 'claimedAt'>;

export interface FeedQuery {
  /** A token, or `now`: the oldest first, from there on. Undefined, as `before` is: from the oldest change that is kept. */
  after?: string | undefined;
  /** A token, or `now`: the newest first, from there back. */
  before?: string | undefined;
  size: number;
  /** Only changes of these users, and of these types. Undefined: of all. */
  ids?: readonly number[] | undefined;
  types?: readonly ChangeType[] | undefined;
}

/** A change that a reader passes, and the place where it goes on, if there may be more. */
interface Passed<Next = FeedToken | undefined> {
  change: FeedChange;
  next: Next;
}

type Walk<Next> = AsyncGenerator<Passed<Next>, Next>;

/** Places of the feed, and the token of the one after them. */
export interface FeedPlaces {
  changes: FeedChange[];
  next: string;
}

/** At a new stage nothing has been kept yet. */
const NO_HEAD: FeedHead = { feed: '', periods: [], epoch: 0, batch: [], lastBatch: 0, batchBefore: 0, claimedAt: 0 };

/** A batch of the fold has several changes, so a page of them takes fewer items. */
const CHANGES_PER_ITEM = 4;

/** Items that a search reads first: 400 KB, where writers are so frequent that each is full. */
const SEARCHED_ITEMS = 64;

/** The place after a batch. The next one is claimed no earlier than the last one, which may still be under way. */
const afterEpoch = ({ feed, claimedAt }: FeedHead, epoch: number): FeedToken => ({
  feed,
  claimedAt,
  epoch: epoch + 1,
  place: 0,
});

/** The place after the last batch whose changes are in the feed: they are kept before the next one is claimed. */
const endOf = (head: FeedHead): FeedToken =>
  afterEpoch(head, head.batch.length > 0 ? head.batchBefore : head.lastBatch);

/** @throws {ServiceError} 410 for a token of another feed, or of a place that the feed has not reached */
function placeOf(head: FeedHead, text: string): FeedToken {
  const token = readToken(text);
  if ((token.feed !== '' && token.feed !== head.feed) || token.epoch > head.epoch + 1) throw isGone();
  return { ...token, feed: head.feed };
}

/** The head, and the place before all changes that are kept. */
async function readBounds(database: Database): Promise<{ head: FeedHead; start: FeedToken }> {
  const head = (await readHead(database)) ?? NO_HEAD;
  const { epoch, since: claimedAt } = firstKept(head, database.historyDays ?? 0, database.runtime.now());
  return { head, start: { feed: head.feed, claimedAt, epoch, place: 0 } };
}

/**
 * D12. The parts of a feed: from a place on, or the last ones first, from a place back. Strongly consistent: a reader that passes a late
 * batch never sees it.
 */
async function* readParts(
  database: Database,
  feed: string,
  range: Pick<KeyRange, 'from' | 'to'>,
  { size, ids, types }: FeedQuery,
): AsyncGenerator<FeedPart> {
  const part = { table: database.tables.directory, partition: ['pk', feedOf(feed)] as const, sort: 'sk' };
  const isDescending = range.from === undefined;
  const expected = ids || types ? SEARCHED_ITEMS : Math.ceil(size / CHANGES_PER_ITEM);
  const now = database.runtime.now();
  // One more, which tells a reader back whether there is an older change.
  for await (const item of query(database, { ...part, ...range }, { isDescending, expected: expected + 1 }))
    if (!isExpired(now, item)) yield toFeedPart(item);
}

/** Whether a part has a place, or begins where all batches before the place end. Otherwise some changes have expired. */
const follows = ({ epoch, place }: FeedPlace, part: FeedPart): boolean =>
  part.epoch === epoch ? part.place <= place : part.previous < epoch;

/** The place after some changes of a part. */
function placeAfter({ claimedAt, epoch, place, of }: FeedPart, taken: number): FeedPlace {
  const isWhole = place + taken === of;
  return { claimedAt, epoch: epoch + Number(isWhole), place: isWhole ? 0 : place + taken };
}

/** The changes after a place, the oldest first: a walk never passes one twice, or skips one. @throws {ServiceError} 410 when some are no longer kept */
export async function* forth(database: Database, query: FeedQuery): Walk<FeedToken> {
  const { after } = query;
  const { head, start } = await readBounds(database);
  if (after === 'now') return afterEpoch(head, head.lastBatch);
  const { feed } = head;
  // Undefined before the oldest change: the first one that comes is the oldest.
  let next = after === undefined ? undefined : placeOf(head, after);
  for await (const part of readParts(database, feed, { from: feedKey(next ?? start) }, query)) {
    if (next && !follows(next, part)) throw isGone();
    const skipped = next?.epoch === part.epoch ? next.place - part.place : 0;
    for (const [i, change] of part.changes.entries())
      if (i >= skipped) yield { change, next: { feed, ...placeAfter(part, i + 1) } };
    next = { feed, ...placeAfter(part, part.changes.length) };
  }
  const end = endOf(head);
  next ??= end;
  if (next.epoch < end.epoch) throw isGone();
  return next;
}

/** Whether the changes that are kept are those after a place. */
async function isOldest(database: Database, head: FeedHead, start: FeedToken, place: FeedToken): Promise<boolean> {
  for await (const part of readParts(database, head.feed, { from: feedKey(start) }, { size: 1 }))
    return follows(place, part);
  return place.epoch >= endOf(head).epoch;
}

/** Whether a part is kept, and no change between it and a later one has expired. */
const adjoins = (part: FeedPart, start: FeedToken, later: FeedPart | undefined): boolean =>
  feedKey(part) >= feedKey(start) && (!later || follows(placeAfter(part, part.changes.length), later));

/** The changes of a part before a place, the newest first, each with its own place. */
function newestFirst(feed: string, part: FeedPart, before: FeedToken | undefined): Passed<FeedToken>[] {
  const { claimedAt, epoch, place, changes } = part;
  const count = epoch === before?.epoch ? before.place - place : changes.length;
  const passed = changes.map((change, i) => ({ change, next: { feed, claimedAt, epoch, place: place + i } }));
  return passed.slice(0, count).reverse();
}

/** The changes before a place, the newest first, as far back as none has expired: from a token on, or from now. */
export async function* back(database: Database, query: FeedQuery): Walk<FeedToken | undefined> {
  const { head, start } = await readBounds(database);
  const { feed } = head;
  const before = query.before === 'now' ? undefined : placeOf(head, query.before ?? '');
  let last: Passed | undefined;
  let later: FeedPart | undefined;
  for await (const part of readParts(database, feed, { to: before && feedKey(before) }, query)) {
    if (!adjoins(part, start, later)) break;
    for (const each of newestFirst(feed, part, before)) {
      if (last) yield last;
      last = each;
    }
    later = part;
  }
  if (last) yield { ...last, next: undefined };
  else if (before && !(await isOldest(database, head, start, before))) throw isGone();
  return undefined;
}

/** As many changes of a walk as are asked for. One read unit for the head, and one for each 4 KB that is read of the feed. */
export async function take<Next>(walk: Walk<Next>, { size, ids, types }: FeedQuery) {
  const passed: Passed<Next>[] = [];
  for (let looked = 1; ; looked++) {
    const { done, value } = await walk.next();
    if (done) return { passed, next: value };
    const { id, type } = value.change;
    if ((ids?.includes(id) ?? true) && (types?.includes(type) ?? true)) passed.push(value);
    if (passed.length === size || looked === MOST_LOOKED_AT) return { passed, next: value.next };
  }
}

/** All users' changes after a token, in the order in which they were folded, and each user's in the order of versions. @throws as `forth` */
export async function readPlaces(database: Database, query: FeedQuery): Promise<FeedPlaces> {
  const { passed, next } = await take(forth(database, query), query);
  return { changes: passed.map(({ change }) => change), next: writeToken(next) };
}
