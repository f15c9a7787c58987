import {
  EXACT_FIELDS,
  type ExactField,
  FILTER_FIELDS,
  type FilterField,
  isExactField,
  type OrderedField,
  type SortProperty,
} from '../fields.ts';
import { findIndex } from '../indexes.ts';
import { type EncodedFilters, encodeOptional, filterText, partitionOf, runBounds, sortText } from '../keys.ts';
import type { List } from '../lists.ts';
import { foldCase } from '../text.ts';
import type { User } from '../user.ts';

/** The values of filters, as a client gives them. */
export type Filters = { readonly [Field in FilterField]?: string | undefined };

/** Which users a listing has: those that meet all of these. */
export interface Criteria {
  /** Exact values, encoded. */
  values: EncodedFilters;
  /** Sort texts: values that are equal ignoring case, or missing. */
  texts: Readonly<Partial<Record<SortProperty, string>>>;
  /** A folded substring of the last name. */
  keyword?: string | undefined;
  /** Only greater ids. */
  after?: number | undefined;
}

export const EVERYONE: Criteria = { values: {}, texts: {} };

export function criteriaOf(filters: Filters, keyword: string | undefined): Criteria {
  const given = FILTER_FIELDS.flatMap((field) => {
    const value = filters[field];
    return value === undefined ? [] : [{ field, value }];
  });
  const exact = given.filter(({ field }) => isExactField(field));
  const others = given.filter(({ field }) => !isExactField(field));
  return {
    values: Object.fromEntries(exact.map(({ field, value }) => [field, encodeOptional(value)])),
    texts: Object.fromEntries(others.map(({ field, value }) => [field, filterText(value)])),
    ...(keyword && { keyword: foldCase(keyword) }),
  };
}

const entriesOf = <Key extends string>(record: Readonly<Partial<Record<Key, string>>>) =>
  Object.entries(record) as [Key, string][];

/** Which of the exact filters are applied, in the order of indexes. */
export const filtersIn = ({ values }: Pick<Criteria, 'values'>): ExactField[] =>
  EXACT_FIELDS.filter((field) => values[field] !== undefined);

/** A predicate on users. An index only gives candidates; this decides. */
export function matcherOf({ values, texts, keyword, after }: Criteria): (user: User) => boolean {
  const exact = entriesOf(values);
  const equal = entriesOf(texts);
  return (user) =>
    (after === undefined || user.id > after) &&
    exact.every(([field, value]) => encodeOptional(user[field]) === value) &&
    equal.every(([property, text]) => sortText(user, property) === text) &&
    (keyword === undefined || (user.lastName !== undefined && foldCase(user.lastName).includes(keyword)));
}

/** The list with these filters and this order, if there is such an index. */
function findList(
  filters: readonly ExactField[],
  order: OrderedField | 'id',
  values: EncodedFilters,
): List | undefined {
  const index = findIndex(filters, order);
  return index && { index, partition: partitionOf(filters, values) };
}

/** All subsets of some filters, the largest first. */
function subsetsOf(filters: readonly ExactField[]): ExactField[][] {
  const subsets = filters.reduce<ExactField[][]>((all, filter) => all.concat(all.map((s) => s.concat(filter))), [[]]);
  return subsets.toSorted((a, b) => b.length - a.length);
}

const orderOfProperty = (property: SortProperty): OrderedField | 'id' =>
  property === 'createdAt' ? 'id' : (property as OrderedField | 'id');

/** The smallest list in the order of a property that has all matching users. It may have others, too. */
export const listInOrder = (criteria: Criteria, property: SortProperty): List | undefined =>
  subsetsOf(filtersIn(criteria))
    .map((filters) => findList(filters, orderOfProperty(property), criteria.values))
    .find((list) => list !== undefined);

/** The lists in the order of ids that have all matching users. They may have others, too. */
export function listsById(criteria: Criteria): List[] {
  const subsets = subsetsOf(filtersIn(criteria));
  const runs = entriesOf(criteria.texts).flatMap(([property, text]) =>
    subsets.flatMap((filters) => {
      const list = findList(filters, orderOfProperty(property), criteria.values);
      return list ? [{ ...list, run: { property, text } }] : [];
    }),
  );
  const whole = subsets.flatMap((filters) => findList(filters, 'id', criteria.values) ?? []);
  return [...runs, ...whole];
}

/** Whether a list has only matching users, apart from ids up to `after`. */
export const isExact = (criteria: Criteria, { index, run }: List): boolean =>
  criteria.keyword === undefined &&
  index.filters.length === filtersIn(criteria).length &&
  entriesOf(criteria.texts).every(([property, text]) => run?.property === property && run.text === text);

/** The key where matching users end in a list by the searched field: users without a value come last and cannot match. */
export const endOfMatches = ({ keyword }: Criteria, property: SortProperty): string | undefined =>
  keyword !== undefined && property === 'lastName' ? runBounds(encodeOptional(undefined))[0] : undefined;
