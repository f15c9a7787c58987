import { Readable } from 'node:stream';
import { notePlan } from '../../metering.ts';
import type { Database } from '../database.ts';
import type { Filters } from '../filters.ts';
import { type Journal, READ_WITHIN_MS, UNREAD, withJournal } from '../journal/journal.ts';
import type { User } from '../user.ts';
import { criteriaOf } from './criteria.ts';
import { read, readAndCount, readFew } from './execute.ts';
import { countOf } from './facts.ts';
import { inOneState } from './oneState.ts';
import { hasOwnOrder, type Order, reversed, totalOrder } from './order.ts';
import { streamAll } from './stream.ts';
import { createView, type View } from './view.ts';

export interface PageQuery {
  filters: Filters;
  /** A substring of the last name, ignoring case. */
  keyword: string | undefined;
  order: Order;
  /** Counted from 0. */
  number: number;
  size: number;
}

export interface CursorQuery {
  filters: Filters;
  keyword: string | undefined;
  /** Only users with a higher id. */
  after: number;
  size: number;
}

/** Stands for the state of all users. It changes with every write, and when statistics are built again. */
export type Tag = string;

export interface UserBatch {
  tag: Tag;
  users: User[];
}

export interface UserPage extends UserBatch {
  /** How many users match, on all pages. */
  total: number;
}

export interface StreamQuery {
  filters: Filters;
  keyword?: string | undefined;
  order: Order;
}

export interface UserStream {
  tag: Tag;
  users: AsyncIterable<User>;
  /** How many users match. */
  total: number;
}

/** The client already has this state. */
export interface Unchanged {
  tag: Tag;
  users?: undefined;
}

/** Whether the client already has the state of a tag. */
export type IsKnown = (tag: Tag) => boolean;

const isUnfiltered = (filters: Filters, keyword: string | undefined): boolean =>
  keyword === undefined && Object.values(filters).every((value) => value === undefined);

/** One page, and how many users match. It is read from the nearer end of the order. */
async function readPage(view: View, { filters, keyword, order, number, size }: PageQuery): Promise<UserPage> {
  const { tag } = view.journal;
  const criteria = criteriaOf(filters, keyword);
  const [start, end] = [number * size, (number + 1) * size];
  const total = await countOf(view, criteria, order[0]);
  if (total === undefined) {
    const users = await readAndCount(view, { criteria, order });
    return { tag, users: users.slice(start, end), total: users.length };
  }
  if (start >= total) return { tag, users: [], total };
  const last = Math.min(end, total);
  const isNearEnd = total - start < last;
  const users = await read(view, {
    criteria,
    order: isNearEnd ? reversed(order) : order,
    skip: isNearEnd ? total - last : start,
    take: last - start,
    total,
  });
  return { tag, users: isNearEnd ? users.reverse() : users, total };
}

const BY_ID = totalOrder([]);

const NEVER: IsKnown = () => false;

/** Lists users in order. A response includes every write that was acknowledged before its request began. */
export function createUserListing(database: Database) {
  /** The journal that was read last, by any request. */
  let last: Journal | undefined;

  /** If the client may know the state already, the journal tells. Most plans need the number of users and the generation. */
  async function guess(isKnown: IsKnown, isPlain: boolean): Promise<Journal> {
    if (isKnown === NEVER && (last || isPlain)) return last ?? UNREAD;
    return withJournal(database, async (journal) => journal);
  }

  /** @param isPlain whether the first users of a list are asked for, however many it has */
  async function reading<Result>(
    isKnown: IsKnown,
    isPlain: boolean,
    ask: (view: View) => Promise<Result>,
  ): Promise<Result | Unchanged> {
    const guessed = await guess(isKnown, isPlain);
    if (isKnown(guessed.tag)) return { tag: guessed.tag };
    const { result, journal } = await inOneState(database, guessed, async (replayed, journal, spent) => {
      const view = createView(replayed, journal, spent);
      return { view, of: await ask(view) };
    });
    last = journal;
    notePlan([...new Set(result.view.plans)].slice(0, 4).join(', ') || 'journal');
    return result.of;
  }

  return {
    page: (query: PageQuery, isKnown: IsKnown = NEVER): Promise<UserPage | Unchanged> => {
      const { filters, keyword, number, order } = query;
      const isPlain = number === 0 && isUnfiltered(filters, keyword) && hasOwnOrder(order);
      return reading(isKnown, isPlain, (view) => readPage(view, query));
    },

    after: ({ filters, keyword, after, size }: CursorQuery, isKnown: IsKnown = NEVER): Promise<UserBatch | Unchanged> =>
      reading(isKnown, isUnfiltered(filters, keyword), async (view) => {
        const criteria = criteriaOf(filters, keyword, after);
        return { tag: view.journal.tag, users: await read(view, { criteria, order: BY_ID, skip: 0, take: size }) };
      }),

    /**
     * Every matching user, read as the caller consumes them. A stream takes longer than the journal lasts, so the journal is read
     * first, and again from time to time.
     */
    all: ({ filters, keyword, order }: StreamQuery, isKnown: IsKnown = NEVER): Promise<UserStream | Unchanged> =>
      withJournal(database, async (journal) => {
        const { tag } = journal;
        if (isKnown(tag)) return { tag };
        const view = createView(database, journal);
        const { runtime } = database;
        let readAt = runtime.monotonic();
        const renew = async () => {
          if (runtime.monotonic() - readAt < READ_WITHIN_MS) return false;
          view.journal = await withJournal(database, async (newer) => newer);
          readAt = runtime.monotonic();
          return true;
        };
        const criteria = criteriaOf(filters, keyword);
        const few = await readFew(view, { criteria, order });
        const total = few?.length ?? (await countOf(view, criteria, order[0]));
        if (few || total === undefined) {
          const users = few ?? (await readAndCount(view, { criteria, order }));
          notePlan(view.plans.join(', '));
          return { tag, total: users.length, users: Readable.from(users) };
        }
        notePlan(`stream by ${order[0].property}`);
        return { tag, total, users: streamAll({ view, renew }, criteria, order) };
      }),
  };
}
