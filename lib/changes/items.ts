/**
 * The kept changes, for some days. A change is an item of its user's history, and a place in the feed of all users: a
 * batch of the fold is one item of the feed, or several. Only the history has what a user was, so there is one place to erase it.
 *
 * - `history:<id>`, version: the change, or nothing but its moment (`was`) and `ttl` after it was erased
 * - `changes:<feed>`, moment of the claim, epoch and place: which changes a batch had
 *
 * The epochs of batches are an order without gaps: a batch is claimed after the one before it was kept. The moments of claims never fall.
 */
import { type Head, type JournalEntry, MAX_VERSION, originOf, packIntegers, unpackIntegers } from '../replica/index.ts';
import type { Change, WrittenChange } from '../users/entry.ts';

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
