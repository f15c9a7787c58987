/**
 * The way of a list, from top to bottom:
 *
 *   query (lib/http/queries/lists.ts) ─▶ known already? ─▶ the replica as it is now (lib/replica) ─▶ a question to it (filters.ts)
 *   ─▶ answered from columns (lib/columns) ─▶ response (lib/http/response/collections.ts)
 *
 * An answer has every write that was acknowledged before its request, and its users and its total are of one state.
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
import { ensureTime, withDeadline } from '../ground/index.ts';
import { type Current, createReplica, type IsKnown, type ReadReplica, type Tag } from '../replica/index.ts';
import { datesAsked, questionAfter, questionOf } from './asked.ts';
import { computing } from './computing.ts';
import { byOf, shownBy, type ValueCount } from './counted.ts';
import { readAfter, walkOf } from './cursor.ts';
import type { Database } from './database.ts';
import type { Filters } from './filters.ts';
import { totalOrder } from './order.ts';
import type {
  CountsQuery,
  CursorQuery,
  PageQuery,
  StreamQuery,
  Unchanged,
  UserBatch,
  UserCounts,
  UserPage,
  UserStream,
  UserStretch,
  WalkQuery,
} from './questions.ts';
import type { ListedUser } from './user.ts';

/** Lists users, for as long as a container lives: it holds the replica. */
interface Lists {
  database: Database;
  users: ReadReplica;
}

type Ask<Answer> = (replica: Replica, work: Work) => Answer;

/** The answer of the replica as it is now. If the client knows its state already, the journal alone is read. */
async function answerOf<Answer extends object>(
  lists: Lists,
  isKnown: IsKnown | undefined,
  ask: Ask<Answer>,
): Promise<(Answer & { tag: Tag }) | Unchanged> {
  const found = isKnown ? await lists.users.unlessKnown(isKnown) : await lists.users.now();
  return found.replica ? answered(lists, found, ask) : { tag: found.tag };
}

async function answered<Answer extends object>({ database, users }: Lists, found: Current, ask: Ask<Answer>) {
  try {
    return { ...ask(found.replica, computing(database.runtime)), tag: found.tag };
  } catch (error) {
    return users.refuseBroken(found.head, error);
  }
}

const BY_ID = totalOrder([]);

/** Rows have the fields of users: the replica was made of them. */
const usersOf = (rows: Iterable<Row>) => rows as Iterable<unknown> as Iterable<ListedUser>;

/** @param from how many users come before the page, or the place that it is behind */
const pageFrom =
  (question: Question, order: Order, from: number | Row, size: number): Ask<Omit<UserStretch, 'tag'>> =>
  (replica, work) => {
    const { rows, ...numbers } = pageOf(replica, question, order, from, size, work);
    return { ...numbers, users: [...usersOf(rows)] };
  };

const streamOf =
  ({ runtime }: Database, { filters, order }: StreamQuery): Ask<Omit<UserStream, 'tag'>> =>
  (replica) => {
    // A stream may take as long as its request.
    const { total, rows } = rowsOf(replica, questionOf(filters), order, { tick: () => ensureTime(runtime) });
    return { total, users: usersOf(rows) };
  };

/** How many users have another value where a bound of the filters meets only dates. Absent without such a bound. */
function notDatesOf(replica: Replica, filters: Filters, work: Work): { notDates?: number } {
  const asked = datesAsked(filters);
  if (!asked) return {};
  const totalOf = (question: Question): number => pageOf(replica, question, BY_ID, 0, 0, work).total;
  return { notDates: totalOf(asked.withValues) - totalOf(asked.withDates) };
}

/** Users by id, from an index and the journal if they have it; else from the replica. */
async function listAfter(
  lists: Lists,
  query: CursorQuery,
  isKnown: IsKnown | undefined,
): Promise<UserBatch | Unchanged> {
  const { database, users } = lists;
  const { filters, after, size } = query;
  const fromReplica = () => answerOf(lists, isKnown, pageFrom(questionAfter(filters, after), BY_ID, 0, size));
  const walk = walkOf(filters);
  if (!walk) return fromReplica();
  const known = isKnown && (await users.journal());
  if (known && isKnown(known.tag)) return { tag: known.tag };
  return (await readAfter(database, users, walk, { after, size })) ?? fromReplica();
}

/** As long as a request would: what is throttled is repeated until a deadline, and else given up soon. */
const LOADING_MS = 28_000;

export function createUserListing(database: Database) {
  const lists: Lists = { database, users: createReplica(database) };
  return {
    page: ({ filters, order, number, size }: PageQuery, isKnown?: IsKnown): Promise<UserPage | Unchanged> =>
      answerOf(lists, isKnown, pageFrom(questionOf(filters), order, number * size, size)),

    after: (query: CursorQuery, isKnown?: IsKnown) => listAfter(lists, query, isKnown),

    /** Users by id, with higher ids than one, and how many there are. */
    matching: async ({ filters, after, size }: CursorQuery): Promise<UserPage> =>
      answered(lists, await lists.users.now(), pageFrom(questionAfter(filters, after), BY_ID, 0, size)),

    /** Every matching user, by id, and how many are left out for a value that is no date. */
    everyone: async (filters: Filters): Promise<UserStream & { notDates?: number }> =>
      answered(lists, await lists.users.now(), (replica, work) => ({
        ...notDatesOf(replica, filters, work),
        ...streamOf(database, { filters, order: BY_ID })(replica, work),
      })),

    /** Users behind a place of an order: who does not change comes once in a walk, whatever others write. */
    walk: ({ filters, order, after, size }: WalkQuery, isKnown?: IsKnown): Promise<UserStretch | Unchanged> =>
      answerOf(lists, isKnown, pageFrom(questionOf(filters), order, after ?? 0, size)),

    counts: ({ filters, by, most, fitting }: CountsQuery, isKnown?: IsKnown): Promise<UserCounts | Unchanged> =>
      answerOf(lists, isKnown, (replica, work) => {
        const shown = shownBy(by);
        const fittingShown = fitting && ((counts: readonly ValueCount[]) => fitting(counts.map(shown)));
        const found = countsOf(replica, questionOf(filters), by.map(byOf), most, work, fittingShown);
        return { ...found, counts: found.counts.map(shown) };
      }),

    /** Every matching user, of the state of one moment. */
    all: (query: StreamQuery, isKnown?: IsKnown): Promise<UserStream | Unchanged> =>
      answerOf(lists, isKnown, streamOf(database, query)),

    /**
     * Loads all users while a container starts. It never throws: a failure comes again in a request, which reports it.
     *
     * @param most milliseconds to wait. A load that is not done by then goes on beside requests, which wait for it
     */
    async load(most: number): Promise<void> {
      const { now, sleep } = database.runtime;
      const loaded = withDeadline(now() + LOADING_MS, lists.users.now).catch(() => {});
      await Promise.race([loaded, sleep(most)]);
    },
  };
}

export type UserListing = ReturnType<typeof createUserListing>;
