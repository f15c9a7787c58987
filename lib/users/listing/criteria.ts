/** What a listing asks for, in the terms of lists and their keys. */
import type { Wanted } from '../counts/segments.ts';
import { type ExactField, isExactField, isOrderedField, type SortProperty } from '../fields.ts';
import { FILTERS, type Filters, rangeOf } from '../filters.ts';
import { idsCreatedAt } from '../ids.ts';
import type { UsersIndex } from '../indexes.ts';
import { encodeOptional, NO_VALUE, padded, valueOfText } from '../keys.ts';
import { intersection, isWithin, keyIn, type Range, rangeOfText } from '../lists.ts';
import { foldCase } from '../text.ts';
import type { User } from '../user.ts';

/** The properties that have lists in their order. For `createdAt` this is the order of ids. */
export type ListOrder = UsersIndex['order'];

/** A listing has the users who meet all of these. */
export interface Criteria {
  /** Encoded values of exact fields: any of several. */
  wanted: Wanted;
  /** Keys in the order of a property. */
  ranges: Readonly<Partial<Record<ListOrder, Range>>>;
  /** The only users who are looked at. */
  ids?: readonly number[] | undefined;
  /** A folded substring of the last name. */
  keyword?: string | undefined;
}

export const entriesOf = <Key extends string, Value>(record: Readonly<Partial<Record<Key, Value>>>) =>
  Object.entries(record) as [Key, Value][];

export const hasRanges = ({ ranges }: Criteria): boolean => Object.keys(ranges).length > 0;

const withRange = (criteria: Criteria, order: ListOrder, range: Range): Criteria => ({
  ...criteria,
  ranges: { ...criteria.ranges, [order]: intersection(criteria.ranges[order] ?? {}, range) },
});

export const withValue = (criteria: Criteria, field: ExactField, value: string): Criteria => ({
  ...criteria,
  wanted: { ...criteria.wanted, [field]: [value] },
});

/** The encoded values that a filter of an exact field asks for. Several filters of a field ask for what all of them have. */
function narrowed(known: readonly string[] | undefined, given: readonly string[]): string[] {
  return [...new Set(given)].filter((value) => known?.includes(value) ?? true);
}

export function criteriaOf(filters: Filters, keyword?: string): Criteria {
  const wanted: Partial<Record<ExactField, string[]>> = {};
  const ids = filters.id && [...new Set(filters.id)];
  let criteria: Criteria = { wanted, ranges: {}, ids, ...(keyword && { keyword: foldCase(keyword) }) };
  for (const [name, filter] of FILTERS) {
    const { property, asks } = filter;
    const given = filters[name];
    if (given === undefined) continue;
    if (isExactField(property) && given !== false) {
      const values = asks === 'missing' ? [NO_VALUE] : [given as string | string[]].flat().map(encodeOptional);
      wanted[property] = narrowed(wanted[property], values);
    } else criteria = withRange(criteria, orderOf(property), rangeOf(filter, given as string | number | boolean));
  }
  return criteria;
}

export const orderOf = (property: SortProperty): ListOrder => (isOrderedField(property) ? property : 'id');

/** The criteria, for users who come after an id. */
export const withIdsAfter = (criteria: Criteria, id: number): Criteria =>
  withRange(criteria, 'id', { from: padded(id + 1) });

/** The keys of the users with one sort text in a property, in its order. */
export function rangeWith(property: SortProperty, text: string): { from: string; to: string } {
  if (property !== 'createdAt') return rangeOfText(text);
  const [first, last] = idsCreatedAt(text);
  return { from: padded(first), to: padded(last + 1) };
}

/** The criteria, narrowed to users with one sort text in a property. */
export const withText = (criteria: Criteria, property: SortProperty, text: string): Criteria =>
  isExactField(property)
    ? withValue(criteria, property, valueOfText(text))
    : withRange(criteria, orderOf(property), rangeWith(property, text));

/** A predicate on users. A list only gives candidates; this decides. */
export function matcherOf({ wanted, ranges, keyword }: Criteria): (user: User) => boolean {
  const [exact, keys] = [entriesOf(wanted), entriesOf(ranges)];
  return (user) =>
    exact.every(([field, any]) => any.includes(encodeOptional(user[field]))) &&
    keys.every(([order, range]) => isWithin(range, keyIn({ order }, user))) &&
    (keyword === undefined || (user.lastName !== undefined && foldCase(user.lastName).includes(keyword)));
}
