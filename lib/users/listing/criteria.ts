import type { Wanted } from '../counts/segments.ts';
import { EXACT_FIELDS, type ExactField, isExactField, isOrderedField, type SortProperty } from '../fields.ts';
import { FILTERS, type Filters, rangeOf } from '../filters.ts';
import { idsCreatedAt } from '../ids.ts';
import { USERS_INDEXES, type UsersIndex } from '../indexes.ts';
import { encodeOptional, exactText, NO_VALUE, padded, SEPARATOR } from '../keys.ts';
import { both, isEmpty, isWithin, keyIn, type List, listOf, type Range, rangeOfText, type Span } from '../lists.ts';
import { foldCase } from '../text.ts';
import type { User } from '../user.ts';
import type { Order } from './order.ts';

/** The properties that have lists in their order. For `createdAt` this is the order of ids. */
type ListOrder = UsersIndex['order'];

/** A listing has the users who meet all of these. */
export interface Criteria {
  /** Encoded values of exact fields: any of several. */
  values: Wanted;
  /** Keys in the order of a property. */
  ranges: Readonly<Partial<Record<ListOrder, Range>>>;
  /** The lowest id, as a key, of a batch after a cursor. Nobody asks how many users there are. */
  after?: string | undefined;
  /** A folded substring of the last name. */
  keyword?: string | undefined;
}

/** A part of the matching users, in an order. */
export interface UserQuery {
  criteria: Criteria;
  /** A total order. */
  order: Order;
  /** How many users to leave out first, and how many to return after that. */
  skip: number;
  take: number;
  /** How many match, if that is known. */
  total?: number | undefined;
}

const entriesOf = <Key extends string, Value>(record: Readonly<Partial<Record<Key, Value>>>) =>
  Object.entries(record) as [Key, Value][];

/** @param after only users with greater ids */
export function criteriaOf(filters: Filters, keyword?: string, after?: number): Criteria {
  const values: Partial<Record<ExactField, string[]>> = {};
  const ranges: Partial<Record<ListOrder, Range>> = {};
  for (const [name, filter] of FILTERS) {
    const given = filters[name];
    if (given === undefined) continue;
    const { property, asks } = filter;
    if (isExactField(property) && given !== false) {
      const any = asks === 'missing' ? [NO_VALUE] : [given as string | string[]].flat().map(encodeOptional);
      values[property] = [...new Set(any)].filter((value) => values[property]?.includes(value) ?? true);
      continue;
    }
    const order = property === 'createdAt' ? 'id' : property;
    ranges[order] = both(ranges[order] ?? {}, rangeOf(filter, given as string | number | boolean));
  }
  return {
    values,
    ranges,
    ...(after !== undefined && { after: padded(after + 1) }),
    ...(keyword && { keyword: foldCase(keyword) }),
  };
}

export const orderOf = (property: SortProperty): ListOrder | undefined =>
  property === 'createdAt' || property === 'id' ? 'id' : isOrderedField(property) ? property : undefined;

/** The criteria, narrowed to users with one sort text in a property. */
export function withText(criteria: Criteria, property: SortProperty, text: string): Criteria {
  const order = orderOf(property) ?? 'id';
  const [first, last] = property === 'createdAt' ? idsCreatedAt(text) : [];
  const range = first === undefined ? rangeOfText(text) : { from: padded(first), to: padded((last ?? 0) + 1) };
  return { ...criteria, ranges: { ...criteria.ranges, [order]: both(criteria.ranges[order] ?? {}, range) } };
}

export const withValues = (criteria: Criteria, field: ExactField, values: readonly string[]): Criteria => ({
  ...criteria,
  values: { ...criteria.values, [field]: values },
});

/** The sort text that all users in a range have, if the range covers one text. */
export function textOf({ from = '', to }: Range): string | undefined {
  const text = from.slice(0, -1);
  return from.endsWith(SEPARATOR) && to === rangeOfText(text).to ? text : undefined;
}

const isIn = ({ from, to }: Range, order: ListOrder, user: User): boolean =>
  isWithin({ from, to }, keyIn({ order } as UsersIndex, user));

/** A predicate on users. A list only gives candidates; this decides. */
export function matcherOf({ values, ranges, after, keyword }: Criteria): (user: User) => boolean {
  const exact = entriesOf(values);
  const keys: [ListOrder, Range][] = [...entriesOf(ranges), ['id', { from: after }]];
  return (user) =>
    exact.every(([field, any]) => any.includes(encodeOptional(user[field]))) &&
    keys.every(([order, range]) => isIn(range, order, user)) &&
    (keyword === undefined || (user.lastName !== undefined && foldCase(user.lastName).includes(keyword)));
}

/** Parts of the lists of one index that have all matching users. They may have others, too. */
export interface Candidate {
  index: UsersIndex;
  spans: readonly Span[];
  /** The same spans, also with what is before a cursor. */
  whole: readonly Span[];
  /** All users in the spans match. */
  isExact: boolean;
  /** The users of each span are in the order of ids. */
  isById: boolean;
}

/** The lists of an index that matching users can be in; undefined if they can be in any. */
function listsFor({ values }: Criteria, index: UsersIndex): List[] | undefined {
  let lists: Wanted[] = [{}];
  for (const field of index.filters) {
    const any = values[field];
    if (!any) return undefined;
    lists = lists.flatMap((list) => any.map((value) => ({ ...list, [field]: [value] })));
  }
  return lists.map((one) =>
    listOf(index, Object.fromEntries(entriesOf(one).map(([field, [value]]) => [field, value]))),
  );
}

/** The keys in an index that matching users can have. */
function rangesFor({ values, ranges }: Criteria, { order }: UsersIndex): Range[] {
  const whole = ranges[order] ?? {};
  const any = order !== 'id' && isExactField(order) ? values[order] : undefined;
  return any
    ? any.map((value) => both(whole, rangeOfText(exactText(value)))).filter((range) => !isEmpty(range))
    : [whole];
}

/** Within one text, keys are in the order of ids. */
const withIds = (text: string, { from, to }: Range): Range => ({
  from: `${text}${SEPARATOR}${from ?? ''}`,
  to: to === undefined ? rangeOfText(text).to : `${text}${SEPARATOR}${to}`,
});

/** What stands before the ids in the keys of a span whose users are in the order of ids. */
export const idPrefixOf = ({ list, from = '' }: Span): string =>
  list.index.order === 'id' ? '' : from.slice(0, from.lastIndexOf(SEPARATOR) + 1);

function candidateOf(criteria: Criteria, index: UsersIndex): Candidate | undefined {
  const lists = listsFor(criteria, index);
  if (!lists) return undefined;
  const keys = rangesFor(criteria, index);
  const texts = keys.map(textOf);
  const isById = index.order === 'id' || texts.every((text) => text !== undefined);
  const within = (ids: Range) => {
    if (!isById) return keys;
    return keys.map((range, i) => both(range, index.order === 'id' ? ids : withIds(texts[i] ?? '', ids)));
  };
  const created = criteria.ranges.id ?? {};
  const isImplied = (field: ExactField) => index.filters.includes(field) || index.order === field;
  const isExact =
    criteria.keyword === undefined &&
    (criteria.after === undefined || isById) &&
    entriesOf(criteria.values).every(([field]) => isImplied(field)) &&
    entriesOf(criteria.ranges).every(([order]) => order === index.order || (order === 'id' && isById));
  const spansOf = (ranges: readonly Range[]) =>
    lists.flatMap((list) => ranges.map((range) => ({ list, ...range }))).filter((span) => !isEmpty(span));
  const spans = spansOf(within(both(created, { from: criteria.after })));
  return { index, spans, whole: spansOf(within(created)), isExact, isById };
}

/** How narrow a candidate is: how many fields have one value in it, or some keys. */
const narrowness = ({ index, whole, isExact }: Candidate): number =>
  (isExact ? 100 : 0) +
  2 * index.filters.length +
  (whole[0]?.from !== undefined || whole[0]?.to !== undefined ? 2 : 0) +
  (index.order === 'id' ? 1 : 0);

/** All candidates, the smallest first: a candidate with exactly the matching users, if there is one. */
export const candidatesOf = (criteria: Criteria): Candidate[] =>
  USERS_INDEXES.flatMap((index) => candidateOf(criteria, index) ?? []).toSorted(
    (a, b) => narrowness(b) - narrowness(a),
  );

/** The narrowest list in the order of a property that has all matching users. Several lists, if there is no other way. */
export function candidateInOrder(candidates: readonly Candidate[], property: SortProperty): Candidate | undefined {
  const order = orderOf(property);
  const inOrder = candidates.filter(({ index, isById }) => index.order === order || (order === 'id' && isById));
  return inOrder.find(({ spans }) => spans.length <= 1) ?? inOrder[0];
}

/** Whether all matching users have the same sort text in a property. */
function isFixed({ values, ranges }: Criteria, property: SortProperty): boolean {
  const order = orderOf(property);
  if (property === 'id' || property === 'createdAt' || order === undefined || order === 'id') return false;
  const any = isExactField(property) ? values[property] : undefined;
  if (any?.length === 1) return true;
  const range = ranges[order];
  return range !== undefined && textOf(range) !== undefined;
}

/** The properties that can order the matching users. */
export const orderWithin = (criteria: Criteria, order: Order): Order['0'][] =>
  order.filter(({ property }) => !isFixed(criteria, property));

/** The fields that must have certain values, except the fields of a list. */
export const otherValues = ({ values }: Criteria, { filters, order }: UsersIndex): Wanted =>
  Object.fromEntries(entriesOf(values).filter(([field]) => !filters.includes(field) && field !== order));

/** One value for each field, if no field has several. */
export function singleValues({ values }: Criteria): Partial<Record<ExactField, string>> | undefined {
  if (Object.values(values).some((any) => any.length !== 1)) return undefined;
  return Object.fromEntries(EXACT_FIELDS.flatMap((field) => (values[field] ? [[field, values[field][0] ?? '']] : [])));
}
