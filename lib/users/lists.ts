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
import { listAfter } from './cursor.ts';
import type { Database } from './database.ts';
import type { Filters } from './filters.ts';
import { totalOrder } from './order.ts';
import type { StreamQuery, Unchanged, UserListing, UserStream, UserStretch } from './questions.ts';
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
    const { rows, total, left } = pageOf(replica, question, order, from, size, work);
    return { users: [...usersOf(rows)], total, hasMore: left > 0 };
  };

const streamOf =
  ({ runtime }: Database, { filters, order }: StreamQuery): Ask<Omit<UserStream, 'tag'>> =>
  (replica) => {
    // A stream may take as long as its request.
    const { total, rows } = rowsOf(replica, questionOf(filters), order, { tick: () => ensureTime(runtime) });
    return { total, users: [usersOf(rows)] };
  };

/** How many users have another value where a bound of the filters meets only dates. Absent without such a bound. */
function notDatesOf(replica: Replica, filters: Filters, work: Work): { notDates?: number } {
  const asked = datesAsked(filters);
  if (!asked) return {};
  const totalOf = (question: Question): number => pageOf(replica, question, BY_ID, 0, 0, work).total;
  return { notDates: totalOf(asked.withValues) - totalOf(asked.withDates) };
}

/** As long as a request would: what is throttled is repeated until a deadline, and else given up soon. */
const LOADING_MS = 28_000;

/** The lists of a stage whose functions have all users in memory. */
export function createUserListing(database: Database): UserListing {
  const lists: Lists = { database, users: createReplica(database) };
  return {
    page: ({ filters, order, number, size }, isKnown) =>
      answerOf(lists, isKnown, pageFrom(questionOf(filters), order, number * size, size)),

    after: (query, isKnown) =>
      listAfter(database, query, isKnown, (question) =>
        answerOf(lists, isKnown, pageFrom(question, BY_ID, 0, query.size)),
      ),

    matching: async ({ filters, after, size }) =>
      answered(lists, await lists.users.now(), pageFrom(questionAfter(filters, after), BY_ID, 0, size)),

    everyone: async (filters) =>
      answered(lists, await lists.users.now(), (replica, work) => ({
        ...notDatesOf(replica, filters, work),
        ...streamOf(database, { filters, order: BY_ID })(replica, work),
      })),

    walk: ({ filters, order, after, size }, isKnown) =>
      answerOf(lists, isKnown, pageFrom(questionOf(filters), order, after ?? 0, size)),

    counts: ({ filters, by, most, fitting }, isKnown) =>
      answerOf(lists, isKnown, (replica, work) => {
        const shown = shownBy(by);
        const fittingShown = fitting && ((counts: readonly ValueCount[]) => fitting(counts.map(shown)));
        const found = countsOf(replica, questionOf(filters), by.map(byOf), most, work, fittingShown);
        return { ...found, counts: found.counts.map(shown) };
      }),

    all: (query, isKnown) => answerOf(lists, isKnown, streamOf(database, query)),

    /** A load that is not done in time goes on beside requests, which wait for it. */
    async load(most) {
      const { now, sleep } = database.runtime;
      const loaded = withDeadline(now() + LOADING_MS, lists.users.now).catch(() => {});
      await Promise.race([loaded, sleep(most)]);
    },
  };
}
