import { EXACT_FIELDS, type ExactField, isExactField, KEYED_FIELDS, type SortProperty } from './fields.ts';
import { createdAt, ID_DIGITS } from './ids.ts';
import { orderAttribute, partitionAttribute, USERS_INDEXES } from './indexes.ts';
import { foldCase } from './text.ts';
import type { User } from './user.ts';

const LAST_CODE_POINT = '\u{10FFFF}';

/**
 * Stands for "no value" in a key and sorts after every value. No value contains control characters, so no value equals it.
 * A value that begins with the last code point gets a lower tag.
 */
export const NO_VALUE = `${LAST_CODE_POINT}\u0002`;

const TAGGED = `${LAST_CODE_POINT}\u0001`;

/** Sorts before every character that a value can have, so `Ann` comes before `Anna`. */
export const SEPARATOR = '\0';

/** Where the keys of users without a number begin: after the keys of all numbers. */
export const NUMBERS_END = NO_VALUE + SEPARATOR;

/** Sorts after the separator and before all characters that a value can have. */
export const AFTER_SEPARATOR = '\u0001';

/** The text that stands for an optional value in a key. */
export function encodeOptional(value: string | undefined): string {
  if (value === undefined) return NO_VALUE;
  return value.startsWith(LAST_CODE_POINT) ? value.replace(LAST_CODE_POINT, TAGGED) : value;
}

/** The value that was encoded. */
export function decodeOptional(text: string): string | undefined {
  return text === NO_VALUE ? undefined : text.replace(TAGGED, LAST_CODE_POINT);
}

/** As wide as the largest integer, so that the texts sort like the numbers. */
export const padded = (integer: number): string => String(integer).padStart(ID_DIGITS, '0');

/** The text by which a value is sorted, and filtered ignoring case. DynamoDB and `compareCodePoints` sort it the same way. */
export const sortTextOf = (value: string | number | undefined): string =>
  encodeOptional(typeof value === 'number' ? padded(value) : value === undefined ? value : foldCase(value));

/** The text of an encoded value of an exact field: values that differ only in case are neighbours, in the order of their own texts. */
export const exactText = (value: string): string => `${sortTextOf(decodeOptional(value))}${SEPARATOR}${value}`;

/** The encoded value of a text that ends with an exact text. */
export const valueOfText = (text: string): string => text.slice(text.lastIndexOf(SEPARATOR) + 1);

/** The text by which a user is sorted by one property, and put into its order by an index. Compare such texts by code point. */
export function sortText(user: User, property: SortProperty): string {
  if (property === 'id') return padded(user.id);
  if (property === 'createdAt') return createdAt(user.id);
  return isExactField(property) ? exactText(encodeOptional(user[property])) : sortTextOf(user[property]);
}

/** The order key of the user with this id and this sort text. The id makes it unique. At most 1,017 bytes. */
export const orderKey = (text: string, id: number): string => `${text}${SEPARATOR}${padded(id)}`;

const ALL_USERS = 'user';

/** The values of some filters, encoded. */
export type EncodedFilters = Readonly<Partial<Record<ExactField, string>>>;

/** The partition that holds the users with these values. */
export const partitionOf = (filters: readonly ExactField[], values: EncodedFilters): string =>
  filters.length === 0 ? ALL_USERS : filters.map((field) => values[field] ?? '').join(SEPARATOR);

/** The values by which a user is filtered. */
export const filtersOf = (user: Pick<User, ExactField>): EncodedFilters =>
  Object.fromEntries(EXACT_FIELDS.map((field) => [field, encodeOptional(user[field])]));

const PARTITIONS = [...new Map(USERS_INDEXES.map(({ filters }) => [partitionAttribute(filters), filters]))];

/** The attributes that are stored only for the indexes. */
export function indexKeys(user: User): Record<string, string> {
  const values = filtersOf(user);
  const partitions = PARTITIONS.map(([attribute, filters]) => [attribute, partitionOf(filters, values)]);
  const orders = KEYED_FIELDS.map((field) => [orderAttribute(field), orderKey(sortText(user, field), user.id)]);
  return Object.fromEntries([...partitions, ...orders]);
}

const LAST_BEFORE_SURROGATES = 0xd7ff;
const FIRST_AFTER_SURROGATES = 0xe000;

/** The lowest text that sorts after every text with a prefix. Undefined if there is none. */
export function prefixEnd(prefix: string): string | undefined {
  const codePoints = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (codePoints.at(-1) === 0x10ffff) codePoints.pop();
  const last = codePoints.pop();
  if (last === undefined) return undefined;
  return String.fromCodePoint(...codePoints, last === LAST_BEFORE_SURROGATES ? FIRST_AFTER_SURROGATES : last + 1);
}
