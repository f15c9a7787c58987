import { inParallel } from '../../parallel.ts';
import type { ExactField, SortProperty } from '../fields.ts';
import { encodeOptional, sortText } from '../keys.ts';
import { boundsOf, type List } from '../lists.ts';
import { compareCodePoints } from '../text.ts';
import type { User } from '../user.ts';
import { type Criteria, endOfMatches, listInOrder, matcherOf } from './criteria.ts';
import type { Order } from './order.ts';
import { ENTRIES_PER_UNIT, PARALLEL_READS, type Split, UNITS_PER_QUERY, type UserQuery } from './plans.ts';
import { scan } from './scan.ts';
import { createSelection, type Selection } from './selection.ts';
import type { Users } from './streams.ts';
import type { View } from './view.ts';

/** The users with one value of a field and the keyword in their last names. */
interface Part {
  /** All users with the value, in the requested order. */
  list: List;
  /** The same users by last name. */
  byName: List;
  /** The last names with the keyword. */
  names: readonly string[];
  /** How many users have the keyword. */
  matching: number;
  /** How many users a walk is expected to read until it is beyond the page. */
  expected: number;
}

/** How many parts are read one after another, to learn how far the others must be read. */
const LEADERS = 4;

/** The cheapest Query already pays for this number of users. */
const LEAST_EXPECTED = 16;

function listBy(criteria: Criteria, property: SortProperty): List {
  const list = listInOrder(criteria, property);
  if (!list) throw new Error(`There is no list in the order of ${property}`);
  return list;
}

/** How many users each value of the field has, among the filtered values. */
async function sizesOf(view: View, { values }: Criteria, field: ExactField): Promise<Map<string, number>> {
  const value = values[field];
  if (value !== undefined) return new Map([[value, await view.total({ [field]: value })]]);
  return new Map((await view.values(field, {})).map(({ value, total }) => [value, total]));
}

/** The parts with the most matches come first: they tell how far the others must be read. */
async function partsOf(
  view: View,
  { criteria, order, skip, take }: UserQuery,
  { field, keyword }: Split,
): Promise<Part[]> {
  const names = await view.lastNames(keyword);
  const sizes = await sizesOf(view, criteria, field);
  const share = Math.min(1, (skip + take) / Math.max(1, names.total(criteria.values)));
  return [...names.byValue(field, criteria.values)]
    .toSorted(([, a], [, b]) => b - a)
    .map(([value, matching]) => {
      const values = { ...criteria.values, [field]: value };
      const within: Criteria = { values: { [field]: value }, texts: {} };
      return {
        list: listBy(within, order[0].property),
        byName: listBy(within, 'lastName'),
        names: [...names.byName(values).keys()],
        matching,
        expected: Math.max(LEAST_EXPECTED, Math.ceil(share * (sizes.get(value) ?? 0))),
      };
    });
}

/** The last key of a list with users that do not come after a user in the order. */
function lastKey(list: List, [{ property, direction }]: Order, user: User): string {
  const [first, last] = boundsOf({ ...list, run: { property, text: sortText(user, property) } }) ?? ['', ''];
  return direction === 'asc' ? last : first;
}

/** Whether a user comes after all users with the sort text of `last`. */
function isBeyond([{ property, direction }]: Order, user: User, last: User | undefined): boolean {
  if (!last) return false;
  const difference = compareCodePoints(sortText(user, property), sortText(last, property));
  return direction === 'asc' ? difference > 0 : difference < 0;
}

const ALL = Number.POSITIVE_INFINITY;

/** The users of a list in its order, until they are beyond the page by the users found so far. */
async function* walk(
  view: View,
  { criteria, order }: UserQuery,
  { list, expected }: Part,
  selection: Selection,
): Users {
  const [{ property, direction }] = order;
  const last = selection.last();
  const end = endOfMatches(criteria, property);
  const to = last ? lastKey(list, order, last) : direction === 'asc' ? end : undefined;
  const from = direction === 'desc' ? end : undefined;
  for await (const user of scan(view, list, { direction, from, to, expected })) {
    if (isBeyond(order, user, selection.last())) return;
    yield user;
  }
}

/** The users of all names with the keyword. */
async function* ofNames(view: View, { byName, names }: Part): Users {
  for (const name of names) {
    const run = { property: 'lastName', text: encodeOptional(name) } as const;
    yield* scan(view, { ...byName, run }, { direction: 'asc', expected: ALL });
  }
}

/** The first `count` users of a stream, then another stream if there are more. */
async function* changeAfter(count: number, users: Users, others: Users): Users {
  let passed = 0;
  for await (const user of users) {
    yield user;
    if (++passed >= count) {
      yield* others;
      return;
    }
  }
}

/** Users of a part, including all that can be on the page. */
function candidates(view: View, query: UserQuery, part: Part, selection: Selection): Users {
  const named = ofNames(view, part);
  const certain = part.names.length * UNITS_PER_QUERY * ENTRIES_PER_UNIT;
  if (certain <= part.expected) return named;
  return changeAfter(Math.max(2 * part.expected, certain), walk(view, query, part, selection), named);
}

/** Adds the users of a part that may be on the page. Ends as soon as all matching users are found. */
async function addPart(view: View, query: UserQuery, part: Part, selection: Selection): Promise<void> {
  const matches = matcherOf(query.criteria);
  const found = new Set<number>();
  for await (const user of candidates(view, query, part, selection)) {
    if (!matches(user) || found.has(user.id)) continue;
    found.add(user.id);
    selection.add(user);
    if (found.size === part.matching) return;
  }
}

/** The users of a page, from all parts. */
export async function* inParts(view: View, query: UserQuery, plan: Split): Users {
  const { order, skip, take } = query;
  const selection = createSelection(order, skip + take);
  const parts = await partsOf(view, query, plan);
  const read = (part: Part) => addPart(view, query, part, selection);
  for (const part of parts.slice(0, LEADERS)) await read(part);
  await inParallel(parts.slice(LEADERS), PARALLEL_READS, read);
  yield* selection.slice({ start: skip, end: skip + take });
}
