/**
 * Lists users. A response has every write that was acknowledged before its request, and its users and its total are of one state:
 *
 *   journal ─▶ the container's replica, brought up to it (current.ts) ─▶ a question (filters.ts) ─▶ answered from memory (lib/replica)
 */

import {
  countsOf,
  type Order,
  pageOf,
  type Question,
  type Replica,
  type Row,
  rowsOf,
  type Work,
} from '../columns/index.ts';
import { ensureTime, unavailable, withDeadline } from '../ground/index.ts';
import { type Current, createReplica, type IsKnown, type Tag } from '../replica/index.ts';
import type { AttributeValue } from './attributes.ts';
import { computing } from './computing.ts';
import { byOf, type CountedBy } from './counted.ts';
import { readAfter, walkOf } from './cursor.ts';
import type { Database } from './database.ts';
import { type Filters, questionAfter, questionOf } from './filters.ts';
import { totalOrder } from './order.ts';
import type { ListedUser } from './user.ts';

export type { IsKnown, Tag } from '../replica/index.ts';

interface Asked {
  filters: Filters;
}

export interface StreamQuery extends Asked {
  order: Order;
}

export interface PageQuery extends StreamQuery {
  /** Counted from 0. */
  number: number;
  size: number;
}

export interface CursorQuery extends Asked {
  /** Only users with a higher id. */
  after: number;
  size: number;
}

export interface WalkQuery extends StreamQuery {
  /** What the user before the walk's next one has, or had. Undefined: from the beginning. */
  after: Row | undefined;
  size: number;
}

export interface CountsQuery extends Asked {
  by: readonly CountedBy[];
  /** How many counts are made at most. */
  most: number;
}

export interface UserBatch {
  tag: Tag;
  users: ListedUser[];
}

export interface UserPage extends UserBatch {
  /** How many users match, on all pages. */
  total: number;
}

export interface UserStretch extends UserPage {
  /** How many come behind these. */
  left: number;
}

export interface UserStream {
  tag: Tag;
  /** Decoded one by one, as they are taken. */
  users: Iterable<ListedUser>;
  total: number;
}

/** How many users have some values, in the order of what was asked for. */
interface ValueCount {
  values: (AttributeValue | undefined)[];
  count: number;
}

export interface UserCounts {
  tag: Tag;
  total: number;
  /** The largest first. */
  counts: ValueCount[];
  /** How many users have none of these values. */
  others: number;
}

/** The client already has this state. */
export interface Unchanged {
  tag: Tag;
  users?: undefined;
}

const BY_ID = totalOrder([]);

/** As long as a request would: what is throttled is repeated until a deadline, and else given up soon. */
const LOADING_MS = 28_000;

/** Rows have the fields of users: the replica was made of them. */
const usersOf = (rows: Iterable<Row>) => rows as Iterable<unknown> as Iterable<ListedUser>;

export function createUserListing(database: Database) {
  const users = createReplica(database);
  /** A stream may take as long as its request. */
  const unlimited = { tick: () => ensureTime(database.runtime) };

  type Answer<Result> = (replica: Replica, work: Work) => Result;

  async function ask<Result extends object>(
    isKnown: IsKnown | undefined,
    answer: Answer<Result>,
  ): Promise<(Result & { tag: Tag }) | Unchanged> {
    const found = isKnown ? await users.unlessKnown(isKnown) : await users.now();
    return found.replica ? answered(found, answer) : { tag: found.tag };
  }

  async function answered<Result extends object>(found: Current, answer: Answer<Result>) {
    try {
      return { ...answer(found.replica, computing(database.runtime)), tag: found.tag };
    } catch (error) {
      await users.replaceBroken(found.head, error);
      throw unavailable('The base of all users was broken, and has just been replaced');
    }
  }

  const pageAt = (question: Question, order: Order, skip: number, take: number) => (replica: Replica, work: Work) => {
    const { total, rows } = pageOf(replica, question, order, skip, take, work);
    return { total, users: [...usersOf(rows)] };
  };

  const streamOf = (filters: Filters, order: Order) => (replica: Replica) => {
    const { total, rows } = rowsOf(replica, questionOf(filters), order, unlimited);
    return { total, users: usersOf(rows) };
  };

  return {
    page: ({ filters, order, number, size }: PageQuery, isKnown?: IsKnown): Promise<UserPage | Unchanged> =>
      ask(isKnown, pageAt(questionOf(filters), order, number * size, size)),

    /** Users by id, from an index and the journal if they have it; else from the replica. */
    async after({ filters, after, size }: CursorQuery, isKnown?: IsKnown): Promise<UserBatch | Unchanged> {
      const fromReplica = () => ask(isKnown, pageAt(questionAfter(filters, after), BY_ID, 0, size));
      const walk = walkOf(filters);
      if (!walk) return fromReplica();
      const known = isKnown && (await users.journal());
      if (known && isKnown(known.tag)) return { tag: known.tag };
      return (await readAfter(database, users, walk, after, size)) ?? fromReplica();
    },

    /** Users by id, with higher ids than one, and how many there are. */
    matching: async ({ filters, after, size }: CursorQuery): Promise<UserPage> =>
      answered(await users.now(), pageAt(questionAfter(filters, after), BY_ID, 0, size)),

    /** Every matching user, by id. */
    everyone: async (filters: Filters): Promise<UserStream> => answered(await users.now(), streamOf(filters, BY_ID)),

    /** Users behind a place of an order: who does not change comes once in a walk, whatever others write. */
    walk: ({ filters, order, after, size }: WalkQuery, isKnown?: IsKnown): Promise<UserStretch | Unchanged> =>
      ask(isKnown, (replica, work) => {
        const { rows, ...numbers } = pageOf(replica, questionOf(filters), order, after ?? 0, size, work);
        return { ...numbers, users: [...usersOf(rows)] };
      }),

    counts: ({ filters, by, most }: CountsQuery, isKnown?: IsKnown): Promise<UserCounts | Unchanged> =>
      ask(isKnown, (replica, work) => countsOf(replica, questionOf(filters), by.map(byOf), most, work)),

    /** Every matching user, of the state of one moment. */
    all: ({ filters, order }: StreamQuery, isKnown?: IsKnown): Promise<UserStream | Unchanged> =>
      ask(isKnown, streamOf(filters, order)),

    /**
     * Loads all users while a container starts. It never fails: what does fails again for a request, which says so.
     *
     * @param most milliseconds to wait. What is loading then goes on beside requests, which wait for it
     */
    async load(most: number): Promise<void> {
      const { now, sleep } = database.runtime;
      const loaded = withDeadline(now() + LOADING_MS, users.ahead).catch(() => {});
      await Promise.race([loaded, sleep(most)]);
    },
  };
}
