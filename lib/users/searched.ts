/**
 * The way of a list at a stage whose users do not fit into the memory of a function:
 *
 *   query (lib/http/queries/lists.ts) ─▶ the journal, and what has changed since the state of the index (lib/replica/recent.ts) ─▶ known already?
 *   ─▶ a question to the index (lib/search) without those who have changed, and to these ─▶ response (lib/http/response/collections.ts)
 *
 * Tags, prices of a write and answers are those of lists.ts. Two questions alone are refused: a page too far from both ends of a list, which a
 * walk reaches, and counts of very many values.
 */
import { meetsAll, type Order, type Question, type Row } from '../columns/index.ts';
import { withDeadline } from '../ground/index.ts';
import {
  type Beside,
  type IsKnown,
  isStill,
  MOVED,
  type Moved,
  readBeside,
  type Tag,
  untilStill,
} from '../replica/index.ts';
import {
  countsOf,
  type Engine,
  type List,
  MOST_GROUPS,
  pageOf,
  pointOf,
  queryOf,
  streamOf,
  TOO_FAR,
  TOO_MANY,
  totalOf,
  type View,
  viewOf,
  WINDOW,
  walkFrom,
} from '../search/index.ts';
import { datesAsked, questionAfter, questionOf } from './asked.ts';
import { COLUMNS } from './columns.ts';
import { byOf, shownBy } from './counted.ts';
import { listAfter } from './cursor.ts';
import type { Database } from './database.ts';
import { badParameter } from './errors.ts';
import type { Filters } from './filters.ts';
import { totalOrder } from './order.ts';
import type { CountsQuery, Unchanged, UserCounts, UserListing, UserStream } from './questions.ts';
import { USER_SHAPE } from './shape.ts';
import type { ListedUser } from './user.ts';

/** Lists users of an index. */
interface Lists {
  database: Database;
  engine: Engine;
  /** The name of the index of a base. */
  nameOf(base: string): string;
}

/** An index at a state, with those who have changed since. */
interface Found extends Beside {
  view: View;
}

type Ask<Answer> = (found: Found) => Promise<Answer>;

const BY_ID = totalOrder([]);

/** Rows have the fields of users: the index was made of them. */
const usersOf = (rows: readonly Row[]) => rows as readonly unknown[] as ListedUser[];

/** Those who have changed since and meet a question. */
const ownOf = ({ changed }: Beside, question: Question): Row[] =>
  [...changed.values()].filter((row) => row !== undefined && meetsAll(COLUMNS, row, question)) as Row[];

const listOf = (found: Beside, question: Question, order: Order): List => ({
  query: queryOf(USER_SHAPE, question, [...found.changed.keys()]),
  order,
  own: ownOf(found, question),
});

/**
 * Opens the index. Within a second it shows nobody else than those who are excluded, so its searches are of one state. An answer that takes longer
 * needs a point in time, which has no batch that is put into the index meanwhile.
 */
async function opened({ database, engine, nameOf }: Lists, beside: Beside, isLong: boolean): Promise<View | Moved> {
  const index = nameOf(beside.index);
  if (!isLong) return viewOf(engine, USER_SHAPE, index);
  const point = await pointOf(engine, USER_SHAPE, index);
  if (await isStill(database, beside)) return point;
  await point.close();
  return MOVED;
}

interface Asking {
  isKnown?: IsKnown | undefined;
  /** Whether the answer takes longer than a second. */
  isLong?: boolean;
  /** Whether the answer goes on with the point in time, and closes it. */
  isStream?: boolean;
}

const STREAMED = { isLong: true, isStream: true };

async function attempt<Answer extends object>(
  lists: Lists,
  { isKnown, isLong = false, isStream = false }: Asking,
  ask: Ask<Answer>,
): Promise<(Answer & { tag: Tag }) | Unchanged | Moved> {
  const beside = await readBeside(lists.database);
  if (beside === MOVED) return MOVED;
  const { tag } = beside;
  if (isKnown?.(tag)) return { tag };
  const view = await opened(lists, beside, isLong);
  if (view === MOVED) return MOVED;
  let isKept = false;
  try {
    const answer = await ask({ ...beside, view });
    if (!isLong && !(await isStill(lists.database, beside))) return MOVED;
    isKept = isStream;
    return { ...answer, tag };
  } finally {
    if (!isKept) await view.close();
  }
}

type Tagged<Answer> = Answer & { tag: Tag };

/** The answer of the index with all that has changed since. One that was slower than a second is asked again of a point in time. */
function answerOf<Answer extends object>(
  lists: Lists,
  asking: Asking & { isKnown?: undefined },
  ask: Ask<Answer>,
): Promise<Tagged<Answer>>;
function answerOf<Answer extends object>(
  lists: Lists,
  asking: Asking,
  ask: Ask<Answer>,
): Promise<Tagged<Answer> | Unchanged>;
function answerOf<Answer extends object>(lists: Lists, asking: Asking, ask: Ask<Answer>) {
  let attempts = 0;
  return untilStill(lists.database, () => {
    const isLong = asking.isLong || attempts++ > 0;
    return attempt(lists, { ...asking, isLong }, ask);
  });
}

const page =
  (question: Question, order: Order, from: number, size: number): Ask<{ users: ListedUser[]; total: number }> =>
  async (found) => {
    const answer = await pageOf(found.view, listOf(found, question, order), from, size);
    if (answer === TOO_FAR)
      throw badParameter(`page is more than ${WINDOW} users from both ends of the list: use after= to walk there`);
    return { users: usersOf(answer.rows), total: answer.total };
  };

/** The point in time is closed when the stream ends, or is left. */
async function* streamed(view: View, list: List): AsyncGenerator<ListedUser[]> {
  try {
    for await (const rows of streamOf(view, list)) yield usersOf(rows);
  } finally {
    await view.close();
  }
}

const stream =
  (question: Question, order: Order): Ask<Omit<UserStream, 'tag'>> =>
  async (found) => {
    const list = listOf(found, question, order);
    const total = await totalOf(found.view, list.query);
    return { total: total + list.own.length, users: streamed(found.view, list) };
  };

/** How many users have another value where a bound of the filters meets only dates. */
async function notDatesOf(found: Found, filters: Filters): Promise<{ notDates?: number }> {
  const asked = datesAsked(filters);
  if (!asked) return {};
  const numberOf = async (question: Question): Promise<number> => {
    const { query, own } = listOf(found, question, BY_ID);
    return (await totalOf(found.view, query)) + own.length;
  };
  return { notDates: (await numberOf(asked.withValues)) - (await numberOf(asked.withDates)) };
}

const counts =
  ({ filters, by, most, fitting }: CountsQuery): Ask<Omit<UserCounts, 'tag'>> =>
  async (found) => {
    const { query, own } = listOf(found, questionOf(filters), BY_ID);
    const counted = by.map((name) => ({ name, by: byOf(name) }));
    const answer = await countsOf(found.view, query, own, counted);
    if (answer === TOO_MANY)
      throw badParameter(`by has more than ${MOST_GROUPS} values: filter the users, or count by another property`);
    const first = answer.groups.slice(0, most);
    const shown = first.map(shownBy(by));
    const told = fitting?.(shown) ?? shown.length;
    return { total: answer.total, counts: shown.slice(0, told), others: await answer.othersThan(first.slice(0, told)) };
  };

/** The lists of a stage whose users are in an index. */
export function createSearchedListing(database: Database, { engine, nameOf }: Omit<Lists, 'database'>): UserListing {
  const lists: Lists = { database, engine, nameOf };
  return {
    page: ({ filters, order, number, size }, isKnown) =>
      answerOf(lists, { isKnown }, page(questionOf(filters), order, number * size, size)),

    after: (query, isKnown) =>
      listAfter(database, query, isKnown, (question) =>
        answerOf(lists, { isKnown }, page(question, BY_ID, 0, query.size)),
      ),

    matching: ({ filters, after, size }) => answerOf(lists, {}, page(questionAfter(filters, after), BY_ID, 0, size)),

    everyone: (filters) =>
      answerOf(lists, STREAMED, async (found) => ({
        ...(await notDatesOf(found, filters)),
        ...(await stream(questionOf(filters), BY_ID)(found)),
      })),

    walk: ({ filters, order, after, size }, isKnown) =>
      answerOf(lists, { isKnown }, async (found) => {
        const { rows, ...numbers } = await walkFrom(found.view, listOf(found, questionOf(filters), order), after, size);
        return { ...numbers, users: usersOf(rows) };
      }),

    counts: (query, isKnown) => answerOf(lists, { isKnown }, counts(query)),

    all: ({ filters, order }, isKnown) => answerOf(lists, { ...STREAMED, isKnown }, stream(questionOf(filters), order)),

    /** A container holds nothing. It opens its connections. */
    async load(most) {
      const { now, sleep } = database.runtime;
      const opening = withDeadline(now() + most, () => answerOf(lists, {}, page({}, BY_ID, 0, 1)));
      await Promise.race([opening.catch(() => {}), sleep(most)]);
    },
  };
}
