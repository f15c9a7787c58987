import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { rangeQuery } from '../dynamodb/query.ts';
import { ID_DIGITS, MAX_ID } from './ids.ts';
import type { UsersIndex } from './indexes.ts';
import {
  AFTER_SEPARATOR,
  type EncodedFilters,
  filtersOf,
  NO_VALUE,
  orderKey,
  padded,
  partitionOf,
  SEPARATOR,
  sortText,
} from './keys.ts';
import { compareCodePoints } from './text.ts';
import type { User } from './user.ts';

/** The users of one partition of an index, in the order of its sort key. */
export interface List {
  index: UsersIndex;
  partition: string;
}

/** The list of the users with these values in the order of an index. */
export const listOf = (index: UsersIndex, values: EncodedFilters): List => ({
  index,
  partition: partitionOf(index.filters, values),
});

/** The values that all users of a list have. */
export function valuesOf({ index, partition }: List): EncodedFilters {
  const parts = partition.split(SEPARATOR);
  return Object.fromEntries(index.filters.map((field, i) => [field, parts[i]]));
}

/** The key of a user in the order of an index: the sort key, as text even if it is a number. */
export const keyIn = ({ order }: Pick<UsersIndex, 'order'>, user: User): string =>
  order === 'id' ? padded(user.id) : orderKey(sortText(user, order), user.id);

export const contains = ({ index, partition }: List, user: User): boolean =>
  partitionOf(index.filters, filtersOf(user)) === partition;

/**
 * A key of a list, or a bound between keys, as the index has it. A bound may be the beginning of a key. A bound above all ids is
 * the highest id: the SDK sends only exact numbers.
 */
export const sortKeyIn = ({ order }: UsersIndex, key: string): string | number =>
  order === 'id' ? Math.min(MAX_ID, Number(key.slice(0, ID_DIGITS).padEnd(ID_DIGITS, '0'))) : key;

/** Keys from one, included, to another, not included. Undefined stands for an end of the list. */
export interface Range {
  from?: string | undefined;
  to?: string | undefined;
}

/** A part of a list. */
export interface Span extends Range {
  list: List;
}

export const isWithin = ({ from, to }: Range, key: string): boolean =>
  (from === undefined || compareCodePoints(key, from) >= 0) && (to === undefined || compareCodePoints(key, to) < 0);

export const isEmpty = ({ from, to }: Range): boolean =>
  from !== undefined && to !== undefined && compareCodePoints(from, to) >= 0;

const later = (a: string | undefined, b: string | undefined) =>
  a === undefined ? b : b === undefined || compareCodePoints(a, b) > 0 ? a : b;
const earlier = (a: string | undefined, b: string | undefined) =>
  a === undefined ? b : b === undefined || compareCodePoints(a, b) < 0 ? a : b;

/** The keys that are in both ranges. */
export const intersection = (a: Range, b: Range): Range => ({ from: later(a.from, b.from), to: earlier(a.to, b.to) });

/** What a span has within a range. */
export const partOf = (span: Span, range: Range): Span => ({ list: span.list, ...intersection(span, range) });

/** The keys of the users with one sort text. */
export const rangeOfText = (text: string): { from: string; to: string } => ({
  from: `${text}${SEPARATOR}`,
  to: `${text}${AFTER_SEPARATOR}`,
});

/** Users without a value are the last of a list. */
export const WITHOUT_VALUE: Range = { from: rangeOfText(NO_VALUE).from };

/** The sort text that all users in a range have, if the range covers one text. */
export function textOf({ from = '', to = rangeOfText(NO_VALUE).to }: Range): string | undefined {
  const text = from.slice(0, -1);
  return from.endsWith(SEPARATOR) && to === rangeOfText(text).to ? text : undefined;
}

/** The Query of a span. It includes the key at which the span ends, if there is such a user. */
export const spanQuery = (table: string, { list: { index, partition }, from, to }: Span): QueryCommandInput =>
  rangeQuery({
    table,
    index: index.name,
    partition: [index.partitionKey, partition],
    sort: index.sortKey,
    from: from === undefined ? from : sortKeyIn(index, from),
    to: to === undefined ? to : sortKeyIn(index, to),
  });

/** Names a part of a list in the description of a plan. */
export const nameOf = ({ list: { index }, from, to }: Span): string =>
  from === undefined && to === undefined ? index.name : `part of ${index.name}`;
