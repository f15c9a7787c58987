import {
  FILTER_FIELDS,
  type FilterField,
  isExactField,
  isOrderedField,
  type OrderedField,
  type SortProperty,
} from '../fields.ts';
import { USERS_INDEXES } from '../indexes.ts';
import { type EncodedFilters, encodeOptional, exactText, filterText, runBounds, sortText } from '../keys.ts';
import { type List, listOf, valuesOf } from '../lists.ts';
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

/** The lists in the order of a field or of ids that have all matching users, the smallest first. */
const listsInOrder = ({ values }: Criteria, order: OrderedField | 'id'): List[] =>
  USERS_INDEXES.filter((index) => index.order === order && index.filters.every((field) => values[field] !== undefined))
    .map((index) => listOf(index, values))
    .toSorted((a, b) => b.index.filters.length - a.index.filters.length);

/** The order texts that matching users have in some fields. Those of an exact field are known from its values alone. */
const orderTextsIn = ({ values, texts }: Criteria): [OrderedField, string][] => [
  ...entriesOf(texts).filter(
    (entry): entry is [OrderedField, string] => isOrderedField(entry[0]) && !isExactField(entry[0]),
  ),
  ...entriesOf(values).map(([field, value]): [OrderedField, string] => [field, exactText(value)]),
];

/** How many fields have one value in a list. */
const valuesIn = ({ index, text }: List): number => index.filters.length + Number(text !== undefined);

/** The lists in the order of ids that have all matching users, the smallest first. They may have others, too. */
export function listsById(criteria: Criteria): List[] {
  const runs = orderTextsIn(criteria).flatMap(([field, text]) =>
    listsInOrder(criteria, field).map((list) => ({ ...list, text })),
  );
  const lists = [...runs, ...listsInOrder(criteria, 'id')].toSorted((a, b) => valuesIn(b) - valuesIn(a));
  const { createdAt } = criteria.texts;
  return createdAt === undefined ? lists : lists.map((list) => ({ ...list, createdAt }));
}

/** The smallest list in the order of a property that has all matching users. It may have others, too. */
export const listInOrder = (criteria: Criteria, property: SortProperty): List | undefined =>
  (isOrderedField(property) ? listsInOrder(criteria, property) : listsById(criteria))[0];

/** Whether a list has only matching users, apart from ids up to `after`. */
export function isExact(criteria: Criteria, list: List): boolean {
  const { index, text } = list;
  const values = valuesOf(list);
  return (
    criteria.keyword === undefined &&
    entriesOf(criteria.values).every(([field, value]) => values[field] === value) &&
    entriesOf(criteria.texts).every(([property, wanted]) =>
      property === 'createdAt' ? list.createdAt === wanted : index.order === property && text === wanted,
    )
  );
}

/** Whether there is a list of the matching users in the order of a property. */
export function isListed(criteria: Criteria, property: SortProperty): boolean {
  const list = listInOrder(criteria, property);
  return list !== undefined && isExact(criteria, list);
}

/** The key where matching users end in a list by the searched field: users without a value come last and cannot match. */
export const endOfMatches = ({ keyword }: Criteria, property: SortProperty): string | undefined =>
  keyword !== undefined && property === 'lastName' ? runBounds(encodeOptional(undefined))[0] : undefined;
