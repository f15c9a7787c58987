import { describePlan } from '../../metering.ts';
import type { Database } from '../database.ts';
import type { FilterField } from '../fields.ts';
import { EXACT_FIELDS, FILTER_FIELDS } from '../fields.ts';
import { withJournal } from '../journal/journal.ts';
import { type EncodedFilters, encodeOptional, filterText } from '../keys.ts';
import { fold } from '../text.ts';
import type { User } from '../user.ts';
import { type Criteria, EVERYONE, isExact, listInOrder, listsById } from './criteria.ts';
import { open } from './open.ts';
import { type Order, reversed, totalOrder } from './order.ts';
import { describe } from './plans.ts';
import { countRun, prepareSlice } from './rank.ts';
import { takeFrom } from './streams.ts';
import { createStreamView, createView, type View } from './view.ts';

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

/** How many users have some values: by the counts that the order needs in any case, if it is by an exact field. */
async function countValues(view: View, values: EncodedFilters, [{ property }]: Order): Promise<number> {
  const field = EXACT_FIELDS.find((each) => each === property && values[each] === undefined);
  if (field === undefined || Object.keys(values).length === 0) return view.total(values);
  return (await view.values(field, values)).reduce((sum, { total }) => sum + total, 0);
}

/** How many users match; undefined where nothing counts them. */
async function countOf(
  view: View,
  { values, texts, keyword, ...criteria }: Criteria,
  order: Order,
): Promise<number | undefined> {
  const hasTexts = Object.keys(texts).length > 0;
  if (keyword !== undefined) {
    if (hasTexts) return undefined;
    return (await view.keyword(keyword)).total(values);
  }
  if (!hasTexts) return countValues(view, values, order);
  const list = listsById({ values, texts, ...criteria }).find((each) => isExact({ values, texts }, each));
  return list && countRun(view, list);
}

/** Reads ahead, beside the total of some values. The total of all users takes no call. */
async function prepare(view: View, criteria: Criteria, [{ property }]: Order, start: number): Promise<void> {
  if (Object.keys(criteria.values).length === 0) return;
  const list = EXACT_FIELDS.some((field) => field === property) ? undefined : listInOrder(criteria, property);
  if (list && isExact(criteria, list)) await prepareSlice(view, list, start);
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

const BY_ID = totalOrder([]);

const NEVER: IsKnown = () => false;

/** Users in order. What was written before a request began is in its answer, in the total and on the page. */
export function createUserListing(database: Database) {
  const reading = <Result>(
    isKnown: IsKnown,
    read: (view: View) => Promise<Result>,
    viewOf = createView,
  ): Promise<Result | Unchanged> =>
    withJournal(database, async (journal) => {
      if (isKnown(journal.tag)) return { tag: journal.tag };
      const view = viewOf(database, journal);
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
      reading(isKnown, async (view) => {
        const criteria = { ...criteriaOf(filters, keyword), after };
        const users = await takeFrom(open(view, { criteria, order: BY_ID, skip: 0, take: size }), size);
        return { tag: view.journal.tag, users };
      }),

    /** Every user, read as they are asked for. */
    all: (order: Order, isKnown: IsKnown = NEVER): Promise<UserStream | Unchanged> =>
      reading(
        isKnown,
        async (view) => {
          const { tag, total } = view.journal;
          const query = { criteria: EVERYONE, order, skip: 0, take: Number.POSITIVE_INFINITY, total };
          return { tag, total, users: open(view, query) };
        },
        createStreamView,
      ),
  };
}
