import { notePlan } from '../../metering.ts';
import type { Database } from '../database.ts';
import { type Journal, UNREAD, withJournal } from '../journal/journal.ts';
import type { User } from '../user.ts';
import { countOf } from './count.ts';
import { type Criteria, criteriaOf, EVERYONE, type Filters, isExact, listInOrder } from './criteria.ts';
import { inOneState } from './oneState.ts';
import { open } from './open.ts';
import { type Order, reversed, totalOrder } from './order.ts';
import { describePlan } from './plans.ts';
import { prepareSlice } from './slice.ts';
import { takeFrom } from './streams.ts';
import { createStreamView, createView, type View } from './view.ts';

export interface PageQuery {
  filters: Filters;
  /** A substring of the last name, in any case. */
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

/** Stands for the state of all users. It changes with every write and with nothing else. */
export type Tag = string;

export interface UserBatch {
  tag: Tag;
  users: User[];
}

export interface UserPage extends UserBatch {
  /** How many users match, on all pages. */
  total: number;
}

export interface UserStream {
  tag: Tag;
  users: AsyncIterable<User>;
  total: number;
}

/** The client already has this state. */
export interface Unchanged {
  tag: Tag;
  users?: undefined;
}

/** Whether the client already has the state of a tag. */
export type IsKnown = (tag: Tag) => boolean;

/** Reads in parallel with the total what the page will need. Without filters the total needs no call, so nothing is read ahead. */
async function prepare(view: View, criteria: Criteria, [{ property }]: Order, start: number): Promise<void> {
  if (Object.keys(criteria.values).length === 0) return;
  const list = listInOrder(criteria, property);
  if (list && isExact(criteria, list)) await prepareSlice(view, list, start);
}

/** One page, read from the nearer end of the order. */
async function readPage(view: View, criteria: Criteria, order: Order, start: number, end: number, total: number) {
  const last = Math.min(end, total);
  const isNearEnd = total - start < last;
  const query = {
    criteria,
    order: isNearEnd ? reversed(order) : order,
    skip: isNearEnd ? total - last : start,
    take: last - start,
    total,
  };
  const users = await takeFrom(open(view, query), query.take);
  return isNearEnd ? users.reverse() : users;
}

const noteView = ({ plans }: View): void =>
  notePlan([...new Set(plans.map(describePlan))].slice(0, 4).join(', ') || 'journal');

const BY_ID = totalOrder([]);

const NEVER: IsKnown = () => false;

const isUnfiltered = (filters: Filters, keyword: string | undefined): boolean =>
  keyword === undefined && Object.values(filters).every((value) => value === undefined);

/** Lists users in order. A response includes every write that was acknowledged before its request began. */
export function createUserListing(database: Database) {
  /** The journal that was read last, by any request. */
  let last: Journal | undefined;

  /** If the client may know the state already, the journal tells. Most plans need the number of users. */
  async function guess(isKnown: IsKnown, isPlain: boolean): Promise<Journal> {
    if (isKnown === NEVER && (last || isPlain)) return last ?? UNREAD;
    return withJournal(database, async (journal) => journal);
  }

  /** @param isPlain whether the first users of a list are asked for, however many it has */
  async function reading<Result>(
    isKnown: IsKnown,
    isPlain: boolean,
    read: (view: View) => Promise<Result>,
  ): Promise<Result | Unchanged> {
    const guessed = await guess(isKnown, isPlain);
    if (isKnown(guessed.tag)) return { tag: guessed.tag };
    const { result, journal } = await inOneState(database, guessed, async (replayed, journal) => {
      const view = createView(replayed, journal);
      return { view, of: await read(view) };
    });
    last = journal;
    noteView(result.view);
    return result.of;
  }

  return {
    page: (
      { filters, keyword, order, number, size }: PageQuery,
      isKnown: IsKnown = NEVER,
    ): Promise<UserPage | Unchanged> =>
      reading(isKnown, number === 0 && isUnfiltered(filters, keyword), async (view) => {
        const { tag } = view.journal;
        const criteria = criteriaOf(filters, keyword);
        const [start, end] = [number * size, (number + 1) * size];
        const [total] = await Promise.all([countOf(view, criteria, order), prepare(view, criteria, order, start)]);
        if (total === undefined) {
          const query = { criteria, order, skip: 0, take: Number.POSITIVE_INFINITY };
          const users = await takeFrom(open(view, query), query.take);
          return { tag, users: users.slice(start, end), total: users.length };
        }
        if (start >= total) return { tag, users: [], total };
        return { tag, users: await readPage(view, criteria, order, start, end, total), total };
      }),

    after: ({ filters, keyword, after, size }: CursorQuery, isKnown: IsKnown = NEVER): Promise<UserBatch | Unchanged> =>
      reading(isKnown, isUnfiltered(filters, keyword), async (view) => {
        const criteria = { ...criteriaOf(filters, keyword), after };
        const users = await takeFrom(open(view, { criteria, order: BY_ID, skip: 0, take: size }), size);
        return { tag: view.journal.tag, users };
      }),

    /**
     * Every user, read as the caller consumes them. A stream takes longer than the journal lasts, so the journal is read first, and
     * again from time to time.
     */
    all: (order: Order, isKnown: IsKnown = NEVER): Promise<UserStream | Unchanged> =>
      withJournal(database, async (journal) => {
        const { tag, total } = journal;
        if (isKnown(tag)) return { tag };
        const view = createStreamView(database, journal);
        const query = { criteria: EVERYONE, order, skip: 0, take: Number.POSITIVE_INFINITY, total };
        noteView(view);
        return { tag, total, users: open(view, query) };
      }),
  };
}
