import { describePlan } from '../../metering.ts';
import type { Database } from '../database.ts';
import type { FilterField } from '../fields.ts';
import { EXACT_FIELDS, FILTER_FIELDS } from '../fields.ts';
import { withJournal } from '../journal/journal.ts';
import { encodeOptional, filterText } from '../keys.ts';
import { readValues } from '../statistics/totals.ts';
import { fold } from '../text.ts';
import type { User } from '../user.ts';
import { type Criteria, EVERYONE, isExact, listsById, matcherOf } from './criteria.ts';
import { open, takeFrom } from './open.ts';
import { compareBy, type Order, rankBy, reversed, totalOrder } from './order.ts';
import { describe } from './plan.ts';
import { countRun } from './rank.ts';
import { scan } from './scan.ts';
import { createView, type View } from './view.ts';

/** The values of filters, as a client gives them. */
export type Filters = { readonly [Field in FilterField]?: string | undefined };

export interface PageQuery {
  filters: Filters;
  /** Matches every last name that contains it, folded; without one, all users match. */
  keyword: string | undefined;
  order: Order;
  /** Counted from 0. */
  number: number;
  size: number;
}

export interface CursorQuery {
  filters: Filters;
  keyword: string | undefined;
  /** Users with a greater id are given. */
  after: number;
  size: number;
}

/** Stands for the state of all users: changes with every write and with nothing else. */
export type Tag = string;

export interface UserBatch {
  tag: Tag;
  users: User[];
}

export interface UserPage extends UserBatch {
  /** How many users match, on this page or not. */
  total: number;
}

export interface UserStream {
  tag: Tag;
  users: AsyncIterable<User>;
  total: number;
}

/** The client has what it would get. */
export interface Unchanged {
  tag: Tag;
  users?: undefined;
}

/** Whether a client knows what it would get at this state. */
export type IsKnown = (tag: Tag) => boolean;

function criteriaOf(filters: Filters, keyword: string | undefined): Criteria {
  const given = FILTER_FIELDS.flatMap((field) => {
    const value = filters[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  const isExactFilter = (field: FilterField) => (EXACT_FIELDS as readonly FilterField[]).includes(field);
  return {
    values: Object.fromEntries(
      given.filter(([field]) => isExactFilter(field)).map(([f, value]) => [f, encodeOptional(value)]),
    ),
    texts: Object.fromEntries(
      given.filter(([field]) => !isExactFilter(field)).map(([f, value]) => [f, filterText(value)]),
    ),
    ...(keyword && { keyword: fold(keyword) }),
  };
}

/** How many users match; undefined where nothing counts them. */
async function countOf(view: View, { values, texts, keyword, ...criteria }: Criteria): Promise<number | undefined> {
  const hasTexts = Object.keys(texts).length > 0;
  if (keyword !== undefined) {
    if (hasTexts) return undefined;
    const names = (await view.lastNames(keyword)).byName(values);
    return [...names.values()].reduce((sum, n) => sum + n, 0);
  }
  if (!hasTexts) return view.total(values);
  const list = listsById({ values, texts, ...criteria }).find((each) => isExact({ values, texts }, each));
  return list && countRun(view, list);
}

/** Everyone who matches, through the smallest list that nothing counts. */
async function gatherAll(view: View, criteria: Criteria, order: Order): Promise<User[]> {
  const [list] = listsById(criteria);
  const matches = matcherOf(criteria);
  const users: User[] = [];
  if (!list) return users;
  for await (const user of scan(view, list, { direction: 'asc', expected: 20 })) if (matches(user)) users.push(user);
  return users
    .map(rankBy(order))
    .sort(compareBy(order))
    .map(({ user }) => user);
}

/** One page, read from the end of the order that is nearer to it. */
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

const describeView = ({ plans }: View): void =>
  describePlan([...new Set(plans.map(describe))].slice(0, 4).join(', ') || 'journal');

/**
 * A stream is read for as long as it lasts, while folds go on: nobody starts it over. The values by which it is grouped
 * are read by a journal of their own; numbers only help to choose a way, and may be newer than the journal.
 */
const streaming = ({ database, journal }: View): View => ({
  ...createView(database, { ...journal, expect: () => {} }),
  values: (field, within) => withJournal(database, (newest) => readValues(database, newest, field, within)),
});

const BY_ID = totalOrder([]);

const NEVER: IsKnown = () => false;

/** Users in order. What was written before a request began is in its answer, in the total and on the page. */
export function createUserListing(database: Database) {
  const reading = <Result>(isKnown: IsKnown, read: (view: View) => Promise<Result>): Promise<Result | Unchanged> =>
    withJournal(database, async (journal) => {
      if (isKnown(journal.tag)) return { tag: journal.tag };
      const view = createView(database, journal);
      const result = await read(view);
      describeView(view);
      return result;
    });

  return {
    page: (
      { filters, keyword, order, number, size }: PageQuery,
      isKnown: IsKnown = NEVER,
    ): Promise<UserPage | Unchanged> =>
      reading(isKnown, async (view) => {
        const { tag } = view.journal;
        const criteria = criteriaOf(filters, keyword);
        const [start, end] = [number * size, (number + 1) * size];
        const total = await countOf(view, criteria);
        if (total === undefined) {
          const users = await gatherAll(view, criteria, order);
          return { tag, users: users.slice(start, end), total: users.length };
        }
        if (start >= total) return { tag, users: [], total };
        return { tag, users: await readPage(view, criteria, order, start, end, total), total };
      }),

    after: ({ filters, keyword, after, size }: CursorQuery, isKnown: IsKnown = NEVER): Promise<UserBatch | Unchanged> =>
      reading(isKnown, async (view) => {
        const criteria = { ...criteriaOf(filters, keyword), after };
        const users = await takeFrom(open(view, { criteria, order: BY_ID, skip: 0, take: size }), size);
        return { tag: view.journal.tag, users };
      }),

    /** Every user, read as they are asked for. */
    all: (order: Order, isKnown: IsKnown = NEVER): Promise<UserStream | Unchanged> =>
      reading(isKnown, async (view) => {
        const { tag, total } = view.journal;
        const query = { criteria: EVERYONE, order, skip: 0, take: Number.POSITIVE_INFINITY, total };
        return { tag, total, users: open(streaming(view), query) };
      }),
  };
}
