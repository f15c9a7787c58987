import { isExactField } from './fields.ts';
import { createdAt, ID_DIGITS, idsCreatedAt } from './ids.ts';
import { USERS_INDEXES, type UsersIndex } from './indexes.ts';
import {
  type EncodedFilters,
  filtersOf,
  orderKey,
  orderText,
  padded,
  partitionOf,
  runBounds,
  SEPARATOR,
  valueOfText,
} from './keys.ts';
import type { User } from './user.ts';

/** The users of one partition of an index in the order of its sort key, or only some of them that are neighbours. */
export interface List {
  index: UsersIndex;
  partition: string;
  /** Only the users with this order text. They are in the order of ids. */
  text?: string;
  /** Only the users created at this time. For lists in the order of ids. */
  createdAt?: string;
}

/** Names a list in the description of a plan. */
export function nameOf({ index, text, createdAt }: List): string {
  const part = text === undefined ? index.name : `one ${index.order} in ${index.name}`;
  return createdAt === undefined ? part : `one createdAt in ${part}`;
}

export const isById = ({ index, text }: List): boolean => index.order === 'id' || text !== undefined;

/** The list of the users with these values in the order of an index. */
export const listOf = (index: UsersIndex, values: EncodedFilters): List => ({
  index,
  partition: partitionOf(index.filters, values),
});

/** The exact values that all users of a list have. */
export function valuesOf({ index, partition, text }: List): EncodedFilters {
  const parts = partition.split(SEPARATOR);
  const values = Object.fromEntries(index.filters.map((field, i) => [field, parts[i]]));
  return text !== undefined && isExactField(index.order) ? { ...values, [index.order]: valueOfText(text) } : values;
}

/** Whether the totals tell how many users a list has. */
export const isCounted = ({ index, text, createdAt }: List): boolean =>
  createdAt === undefined && (text === undefined || isExactField(index.order));

/** All lists that a user is in, one per index. */
export function listsOf(user: User): List[] {
  const values = filtersOf(user);
  return USERS_INDEXES.map((index) => listOf(index, values));
}

/** The sort key of a user in a list, as text even if it is a number. */
export const keyIn = ({ index }: List, user: User): string =>
  index.order === 'id' ? padded(user.id) : orderKey(orderText(user, index.order), user.id);

export const contains = ({ index, partition, text, createdAt: time }: List, user: User): boolean =>
  partitionOf(index.filters, filtersOf(user)) === partition &&
  (text === undefined || (index.order !== 'id' && orderText(user, index.order) === text)) &&
  (time === undefined || createdAt(user.id) === time);

/** The key of an id in a list that is in the order of ids. */
export function keyOfId({ index, text }: List, id: number): string {
  if (index.order === 'id') return padded(id);
  if (text === undefined) throw new Error(`${index.name} is not in the order of ids`);
  return orderKey(text, id);
}

/** The lowest and the highest key that users of a list can have. Undefined for a whole partition. */
export function boundsOf(list: List): [first: string, last: string] | undefined {
  if (list.createdAt === undefined) return list.text === undefined ? undefined : runBounds(list.text);
  const [first, last] = idsCreatedAt(list.createdAt);
  return [keyOfId(list, first), keyOfId(list, last)];
}

/** Sorts after the separator and before all characters that a value can have. */
const AFTER_SEPARATOR = '\u0001';

/**
 * A bound below all keys of a run, and above all lower keys of the list. A run has the users with one sort text or order text;
 * in a list by id, those created at one time.
 */
export const runStart = (list: List, text: string): string =>
  isById(list) ? keyOfId(list, idsCreatedAt(text)[0]) : `${text}${SEPARATOR}`;

/** A bound above all keys of a run, and below all higher keys of the list. */
export const runEnd = (list: List, text: string): string =>
  isById(list) ? keyOfId(list, idsCreatedAt(text)[1] + 1) : `${text}${AFTER_SEPARATOR}`;

/** The key from which a scan continues after a run. */
export function keyAfterRun(list: List, text: string, direction: 'asc' | 'desc'): string {
  if (direction === 'asc') return runEnd(list, text);
  return isById(list) ? keyOfId(list, idsCreatedAt(text)[0] - 1) : runStart(list, text);
}

/** The run of a list as a list in the order of ids. There is none if several values can have the same sort text. */
export function runOf(list: List, text: string): List | undefined {
  if (isById(list)) return { ...list, createdAt: text };
  return isExactField(list.index.order) ? undefined : { ...list, text };
}

/** A key of a list, or a bound between keys, as the index has it. A bound may be the beginning of a key. */
export const sortKeyIn = ({ index }: List, key: string): string | number =>
  index.order === 'id' ? Number(key.padEnd(ID_DIGITS, '0')) : key;

/** The key that follows that of a user, upwards or downwards: no key of a list is between them. */
export const keyBeside = ({ index }: List, user: User, step: 1 | -1): string =>
  index.order === 'id' ? padded(user.id + step) : orderKey(orderText(user, index.order), user.id + step);
