/**
 * The kept changes, for some days. A change is an item of its user's history, and a place in the feed of all users: a
 * batch of the fold is one item of the feed, or several. Only the history has what a user was, so there is one place to erase it.
 *
 * - `history:<id>`, version: the change, or nothing but its moment (`was`) and `ttl` after it was erased
 * - `changes:<feed>`, moment of the claim, epoch and place: which changes a batch had
 *
 * The number of days can be set to another one at any time. Kept changes stay as long as was planned, so after a smaller number later batches of
 * the feed expire before earlier ones. A reader across that gap would miss changes: the feed begins after it.
 *
 * The epochs of batches are an order without gaps: a batch is claimed after the one before it was kept. The moments of claims never fall.
 */

import { packIntegers, type ServiceError, unpackIntegers } from '../ground/index.ts';
import { type Head, type JournalEntry, MAX_VERSION, originOf, type Period } from '../replica/index.ts';
import type { Database } from '../users/database.ts';
import type { Change, WrittenChange } from '../users/entry.ts';
import { badParameter, userError } from '../users/errors.ts';

export const CHANGE_TYPES = ['created', 'updated', 'deleted'] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** The most changes that a request looks at. Then it ends, with a link to the next ones. */
export const MOST_LOOKED_AT = 1_000;

/** A place in the feed. */
export interface FeedChange extends Pick<WrittenChange, 'id' | 'version' | 'at'> {
  type: ChangeType;
}

export const typeOf = ({ before, after }: { before?: unknown; after?: unknown }): ChangeType =>
  before === undefined ? 'created' : after === undefined ? 'deleted' : 'updated';

const DAY_S = 86_400;
export const DAY_MS = DAY_S * 1_000;

/** When what is kept now expires: in Unix seconds, as DynamoDB's time to live wants it. */
export const expiryOf = (now: number, days: number): number => Math.floor(now / 1_000) + days * DAY_S;

/** DynamoDB deletes expired items within days. Until then they count as deleted. */
export const isExpired = (now: number, { ttl }: { ttl?: unknown }): boolean => Number(ttl) <= now / 1_000;

const HISTORY = 'history:';

export const historyOf = (id: number): string => HISTORY + id;

export const versionKey = (version: number): string => String(version).padStart(String(MAX_VERSION).length, '0');

export const historyKey = ({ id, version }: Pick<Change, 'id' | 'version'>) => ({
  pk: historyOf(id),
  sk: versionKey(version),
});

type Stored = Record<string, unknown>;

export const isHistory = ({ pk }: Stored): boolean => String(pk).startsWith(HISTORY);

export const restoreHistoryKey = ({ pk, sk }: Stored): Pick<Change, 'id' | 'version'> => ({
  id: Number(String(pk).slice(HISTORY.length)),
  version: Number(sk),
});

/** The members of the entry, word for word. */
export const historyItem = ({ id, version, at, before, after, ...entry }: JournalEntry, ttl: number) => ({
  ...historyKey({ id, version }),
  at,
  ...originOf(entry),
  before,
  after,
  ttl,
});

/** The item without the change: who folds the change later finds it, and writes nothing. */
export const erasedItem = (change: Pick<WrittenChange, 'id' | 'version' | 'at'>, ttl: number) => ({
  ...historyKey(change),
  was: change.at,
  ttl,
});

/** Whether an item of the history has a change. */
export const isKept = (item: Stored): boolean => item.at !== undefined;

export const feedOf = (feed: string): string => `changes:${feed}`;

export const isOfFeed = (feed: string, { pk }: Stored): boolean => pk === feedOf(feed);

/** The changes of a batch in one item: about 12 bytes each. */
const PART = 500;

/** Digits of a moment, and of an epoch, in the keys of the feed. */
const EPOCH_DIGITS = 16;
const PLACE_DIGITS = 6;

const padded = (epoch: number): string => String(epoch).padStart(EPOCH_DIGITS, '0');

/** A place in the feed: that of a change in the batch of an epoch. */
export interface FeedPlace {
  /** When the batch was claimed, or an earlier moment, in Unix milliseconds. */
  claimedAt: number;
  epoch: number;
  place: number;
}

/** The key of the item that has a place. */
export const feedKey = ({ claimedAt, epoch, place }: FeedPlace): string =>
  padded(claimedAt) + padded(epoch) + String(place - (place % PART)).padStart(PLACE_DIGITS, '0');

/** Some changes of a batch, as read from the feed. */
export interface FeedPart extends FeedPlace {
  /** How many changes the batch has. */
  of: number;
  /** The epoch of the batch before. */
  previous: number;
  changes: FeedChange[];
}

/** The members of a head about its batch. */
export type KeptBatch = Pick<Head, 'feed' | 'epoch' | 'batchBefore' | 'claimedAt'>;

/** The items of a batch in the feed. */
export function feedItems(
  { feed, epoch, batchBefore, claimedAt }: KeptBatch,
  batch: readonly JournalEntry[],
  ttl: number,
) {
  const from = batch.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
  return Array.from({ length: Math.ceil(batch.length / PART) }, (_, part) => ({
    pk: feedOf(feed),
    sk: feedKey({ claimedAt, epoch, place: part * PART }),
    previous: batchBefore,
    of: batch.length,
    from,
    changes: packIntegers(
      batch
        .slice(part * PART, (part + 1) * PART)
        .flatMap((change) => [
          change.id,
          change.version * CHANGE_TYPES.length + CHANGE_TYPES.indexOf(typeOf(change)),
          change.at - from,
        ]),
    ),
    ttl,
  }));
}

export function toFeedPart({ sk, previous, of, from, changes: packed }: Stored): FeedPart {
  const integers = unpackIntegers(packed as Uint8Array);
  const changes: FeedChange[] = [];
  for (let i = 0; i < integers.length; i += 3) {
    const [id = 0, version = 0, since = 0] = integers.slice(i, i + 3);
    changes.push({
      id,
      version: Math.floor(version / CHANGE_TYPES.length),
      type: CHANGE_TYPES[version % CHANGE_TYPES.length] ?? 'updated',
      at: Number(from) + since,
    });
  }
  const key = String(sk);
  return {
    claimedAt: Number(key.slice(0, EPOCH_DIGITS)),
    epoch: Number(key.slice(EPOCH_DIGITS, -PLACE_DIGITS)),
    place: Number(key.slice(-PLACE_DIGITS)),
    of: Number(of),
    previous: Number(previous),
    changes,
  };
}

const NOT_KEPT = 'Changes are not kept here';

/** @throws {ServiceError} 404 where no changes are kept */
export function requireKept({ historyDays = 0 }: Database): void {
  if (historyDays === 0) throw userError('changes-not-kept', NOT_KEPT);
}

/** The periods of a head. It has none before its first batch has ended. */
export const periodsOf = ({ periods }: Pick<Head, 'periods'>, days: number): readonly Period[] =>
  periods.length > 0 ? periods : [{ epoch: 0, since: 0, days }];

/** For how many days the batch of a head is kept. @param days unless the head says it */
export const daysOf = (head: Pick<Head, 'periods'>, days: number): number => periodsOf(head, days).at(-1)?.days ?? days;

/** The last period whose first batch has expired, and what comes after it: nothing before it can be read any more. */
function present(periods: readonly Period[], now: number): readonly Period[] {
  const last = periods.findLastIndex(({ since, days }) => isExpired(now, { ttl: expiryOf(since, days) }));
  return periods.slice(Math.max(0, last));
}

/** The periods with the next batch, which is kept for `days` days. */
export function nextPeriods(head: Head, { feed, claimedAt }: Pick<Head, 'feed' | 'claimedAt'>, days: number): Period[] {
  if (feed !== head.feed) return [{ epoch: 0, since: 0, days }];
  const periods = present(periodsOf(head, days), claimedAt);
  return periods.at(-1)?.days === days ? [...periods] : [...periods, { epoch: head.epoch + 1, since: claimedAt, days }];
}

/** No batch since then, and none from this epoch on, has been lost to readers: those that have expired were before all others. */
export function firstKept(head: Pick<Head, 'periods'>, days: number, now: number): Pick<Period, 'epoch' | 'since'> {
  const [first, next] = present(periodsOf(head, days), now);
  const since = Math.max(first?.since ?? 0, now - (first?.days ?? days) * DAY_MS);
  return { epoch: first?.epoch ?? 0, since: Math.min(since, next?.since ?? since) };
}

/** The place of the next change in the feed. Only this service makes and reads its text. */
export interface FeedToken extends FeedPlace {
  /** The name of the feed, from the head. Empty if there was none yet. */
  feed: string;
}

/** Their lengths keep numbers exact. */
export const TOKEN =
  /^(?<feed>[0-9a-z]{0,6})-(?<epoch>[0-9a-z]{1,10})-(?<place>[0-9a-z]{1,5})-(?<claimedAt>[0-9a-z]{1,8})$/;

const RADIX = 36;

export const writeToken = ({ feed, epoch, place, claimedAt }: FeedToken): string =>
  [feed, ...[epoch, place, claimedAt].map((number) => number.toString(RADIX))].join('-');

/** @param name of the parameter @throws {ServiceError} 400 for a text that this service has not made */
export function readToken(text: string, name = 'after'): FeedToken {
  const { feed = '', epoch, place, claimedAt } = TOKEN.exec(text)?.groups ?? {};
  const message = `${name} must be "now", or the next of an earlier response`;
  if (epoch === undefined || place === undefined || claimedAt === undefined)
    throw badParameter(message, `${message}. GET /api/users?updatedAt.gte= lists who has changed since a date`);
  const numberOf = (digits: string) => Number.parseInt(digits, RADIX);
  return { feed, epoch: numberOf(epoch), place: numberOf(place), claimedAt: numberOf(claimedAt) };
}

/** Changes after a token are no longer kept, or were never kept. */
export const isGone = (): ServiceError =>
  userError(
    'changes-gone',
    'Changes at this place are no longer kept: begin with before=now, or with after=now and then read all users again',
  );
