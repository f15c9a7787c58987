import type { SortProperty } from './fields.ts';
import { ID_DIGITS, idsCreatedAt } from './ids.ts';
import { USERS_INDEXES, type UsersIndex } from './indexes.ts';
import {
  type EncodedFilters,
  filtersOf,
  orderKey,
  padded,
  partitionOf,
  runBounds,
  SEPARATOR,
  sortText,
} from './keys.ts';
import type { User } from './user.ts';

/** The users of one partition of an index in the order of its sort key, or only a run of them. */
export interface List {
  index: UsersIndex;
  partition: string;
  /** Only the users with this sort text. They are in the order of ids. */
  run?: { property: SortProperty; text: string };
}

/** Names a list in the description of a plan. */
export const nameOf = ({ index, run }: List): string => (run ? `one ${run.property} in ${index.name}` : index.name);

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

/** All lists that a user is in, one per index. */
export function listsOf(user: User): List[] {
  const values = filtersOf(user);
  return USERS_INDEXES.map((index) => listOf(index, values));
}

/** The sort key of a user in a list, as text even if it is a number. */
export const keyIn = ({ index }: List, user: User): string =>
  index.order === 'id' ? padded(user.id) : orderKey(sortText(user, index.order), user.id);

export const contains = ({ index, partition, run }: List, user: User): boolean =>
  partitionOf(index.filters, filtersOf(user)) === partition &&
  (run === undefined || sortText(user, run.property) === run.text);

/** A bound below all keys of a run, and above all lower keys of the list. */
export const runStart = ({ index }: List, text: string): string =>
  index.order === 'id' ? padded(idsCreatedAt(text)[0]) : `${text}${SEPARATOR}`;

const AFTER_DIGITS = ':';

/** A bound above all keys of a run, and below all higher keys of the list. */
export const runEnd = ({ index }: List, text: string): string =>
  index.order === 'id' ? padded(idsCreatedAt(text)[1] + 1) : `${text}${SEPARATOR}${AFTER_DIGITS}`;

/** The lowest and the highest key that users of a list can have. Undefined for a whole partition. */
export function boundsOf({ index, run }: List): [first: string, last: string] | undefined {
  if (!run) return undefined;
  if (index.order !== 'id') return runBounds(run.text);
  const [first, last] = idsCreatedAt(run.text);
  return [padded(first), padded(last)];
}

/** A key of a list, or a bound between keys, as the index has it. A bound may be the beginning of a key. */
export const sortKeyIn = ({ index }: List, key: string): string | number =>
  index.order === 'id' ? Number(key.padEnd(ID_DIGITS, '0')) : key;

/** The key that follows that of a user, upwards or downwards: no key of a list is between them. */
export const keyBeside = ({ index }: List, user: User, step: 1 | -1): string =>
  index.order === 'id' ? padded(user.id + step) : orderKey(sortText(user, index.order), user.id + step);

/** The key of an id in a list that is in the order of ids. */
export function keyOfId({ index, run }: List, id: number): string {
  if (index.order === 'id') return padded(id);
  if (!run) throw new Error(`${index.name} is not in the order of ids`);
  return orderKey(run.text, id);
}
