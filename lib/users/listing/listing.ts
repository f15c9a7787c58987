/**
 * Lists users in order. A response includes every write that was acknowledged before its request began.
 *
 * A page in time, from left to right; what is in brackets is not always needed:
 *
 *   a guess of the journal ─▶ counts ─▶ plan ─▶ [sums ─▶ segments ─▶] users ─▶ journal ─▶ the same again, from the same responses
 *   (the last one that was     statistics  a                lists       │                      │
 *   read in this container)                value                        │ within a second      ├─ the journal is as guessed, or
 *                                                                       ▼                      │  nothing new was asked: answer
 *                                          entries stay in the journal for a second after      └─ otherwise: journal, and again
 *                                          the statistics have them, so none can be missed
 */
import { Readable } from 'node:stream';
import { notePlan } from '../../metering.ts';
import type { Database } from '../database.ts';
import type { ExactField } from '../fields.ts';
import type { Filters } from '../filters.ts';
import { type Journal, READ_WITHIN_MS, withJournal } from '../journal/journal.ts';
import type { User } from '../user.ts';
import { criteriaOf } from './criteria.ts';
import { inOneState } from './oneState.ts';
import type { Order } from './order.ts';
import { readAfter, readPage, readStream } from './page.ts';
import { countByValue, type ValueCounts } from './valueCounts.ts';
import { createView, type View } from './view.ts';

interface Asked {
  filters: Filters;
  /** A substring of the last name, ignoring case. */
  keyword?: string | undefined;
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

/** Only filters by exact fields are counted by. */
export interface CountsQuery extends Pick<Asked, 'filters'> {
  by: readonly ExactField[];
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

const notePlans = ({ plans }: View): void => notePlan([...new Set(plans)].slice(0, 4).join(', ') || 'journal');

export function createUserListing(database: Database) {
  /** The journal that was read last, by any request. */
  let last: Journal | undefined;

  const freshJournal = () => withJournal(database, async (journal) => journal);

  /** If the client may know the state already, the journal tells: it is read first then. */
  async function reading<Result extends object>(
    isKnown: IsKnown | undefined,
    ask: (view: View) => Promise<Result>,
  ): Promise<(Result & { tag: Tag }) | Unchanged> {
    const guess = isKnown || !last ? await freshJournal() : last;
    last = guess;
    if (isKnown?.(guess.tag)) return { tag: guess.tag };
    const { result, view } = await inOneState(database, guess, ask);
    last = view.journal;
    notePlans(view);
    return { ...result, tag: last.tag };
  }

  return {
    page: ({ filters, keyword, order, number, size }: PageQuery, isKnown?: IsKnown): Promise<UserPage | Unchanged> =>
      reading(isKnown, (view) =>
        readPage(view, criteriaOf(filters, keyword), order, number * size, (number + 1) * size),
      ),

    after: ({ filters, keyword, after, size }: CursorQuery, isKnown?: IsKnown): Promise<UserBatch | Unchanged> =>
      reading(isKnown, async (view) => ({
        users: await readAfter(view, criteriaOf(filters, keyword), after, size),
      })),

    counts: ({ filters, by }: CountsQuery, isKnown?: IsKnown): Promise<(ValueCounts & { tag: Tag }) | Unchanged> =>
      reading(isKnown, (view) => countByValue(view, criteriaOf(filters), by)),

    /**
     * Every matching user, read as the caller consumes them. A stream takes longer than the journal lasts, so the journal is read
     * first, and again from time to time.
     */
    all: ({ filters, keyword, order }: StreamQuery, isKnown?: IsKnown): Promise<UserStream | Unchanged> =>
      withJournal(database, async (journal) => {
        const { tag } = journal;
        if (isKnown?.(tag)) return { tag };
        const view = createView(database, journal);
        const { runtime } = database;
        let readAt = runtime.monotonic();
        const renew = async () => {
          if (runtime.monotonic() - readAt < READ_WITHIN_MS) return false;
          view.journal = await freshJournal();
          readAt = runtime.monotonic();
          return true;
        };
        const { total, users } = await readStream({ view, renew }, criteriaOf(filters, keyword), order);
        notePlans(view);
        return { tag, total, users: Array.isArray(users) ? Readable.from(users) : users };
      }),
  };
}
