import type { UsersIndex } from '../dynamodb/tables.ts';
import { createdAt, ID_DIGITS } from './ids.ts';
import { fold } from './text.ts';
import type { FieldName, User } from './user.ts';

/**
 * The questions this service asks DynamoDB. Functions that ask one cite its id; a test holds this table, the indexes
 * and the README together.
 */
export const ACCESS_PATTERNS = [
  { id: 'U1', question: 'one user by id', index: 'Users', condition: 'id = :id', function: 'readUser' },
  {
    id: 'U2',
    question: 'users in id (createdAt) order, also after an id',
    index: 'byId',
    condition: 'kind = :kind [and id > :id]',
    function: 'scanRange',
  },
  {
    id: 'U3',
    question: 'users in the order of one field',
    index: 'byName, byEmail, byAge, byFirstName, byLastName',
    condition: 'kind = :kind',
    function: 'scanRange',
  },
  {
    id: 'U4',
    question: 'users with the same value of that field, by id',
    index: 'as U3',
    condition: 'kind = :kind and key between value NUL 0 and value NUL 2^53−1',
    function: 'scanRun',
  },
  {
    id: 'U5',
    question: 'users with a status, a country, or both, by id',
    index: 'byStatus, byCountry, byStatusAndCountry',
    condition: 'statusKey = :status [and id > :id]',
    function: 'scanRange',
  },
  { id: 'U6', question: 'users by id, many at once', index: 'Users', condition: 'id = :id', function: 'tallyUsers' },
  { id: 'U7', question: 'every user, to be recounted', index: 'Users', condition: 'none', function: 'scanUsers' },
  {
    id: 'D1',
    question: 'how many users under each status and country',
    index: 'Directory',
    condition: "pk = 'count'",
    function: 'readCounts',
  },
  {
    id: 'D2',
    question: 'what one row counts: the users of a shard of a status and country, or of a last name',
    index: 'Directory',
    condition: 'pk = :pk and sk = :sk',
    function: 'readRow',
  },
  {
    id: 'D3',
    question: 'which last names contain a keyword, with their users under each status and country',
    index: 'Directory',
    condition: "pk = 'suffix:' + first character and begins_with(sk, keyword); pk = 'long'",
    function: 'findLastNames',
  },
  {
    id: 'D4',
    question: 'which user an Idempotency-Key has created',
    index: 'Directory',
    condition: "pk = 'idempotency' and sk = :key",
    function: 'readRecord',
  },
  { id: 'D5', question: 'every row, to be recounted', index: 'Directory', condition: 'none', function: 'scanRows' },
  {
    id: 'D6',
    question: 'what several rows hold',
    index: 'Directory',
    condition: 'pk = :pk and sk = :sk',
    function: 'readRows',
  },
] as const;

export const LAST_CODE_POINT = '\u{10FFFF}';

/**
 * Stands for "no value" in a key and sorts after every value. Control characters cannot occur in a value, so the mark
 * is distinct from all of them, and from a value that begins with the last code point, which `mark` tags lower.
 */
export const MISSING = `${LAST_CODE_POINT}\u0002`;

/** Sorts before every character that a value can have: `Ann` comes before `Anna`. */
export const SEPARATOR = '\0';

/** The text that stands for an optional value in a key. */
export function mark(value: string | undefined): string {
  if (value === undefined) return MISSING;
  return value.startsWith(LAST_CODE_POINT) ? value.replace(LAST_CODE_POINT, `${LAST_CODE_POINT}\u0001`) : value;
}

/** The value for which `mark` gave this text. */
export function unmark(text: string): string | undefined {
  return text === MISSING ? undefined : text.replace(`${LAST_CODE_POINT}\u0001`, LAST_CODE_POINT);
}

/** The text by which a mark is sorted: values that differ in case alone are equal. */
export function foldMark(text: string): string {
  const value = unmark(text);
  return value === undefined ? MISSING : mark(fold(value));
}

export type SortProperty = FieldName | 'id' | 'createdAt';

/** As wide as the largest integer, so that texts sort as numbers do. */
export const padded = (integer: number): string => String(integer).padStart(ID_DIGITS, '0');

/** An id as it stands in order keys. */
export const paddedId = (id: number): string => padded(id);

/** The text by which a user is sorted by one property: compare by code point. */
export function sortText(user: User, property: SortProperty): string {
  if (property === 'id') return paddedId(user.id);
  if (property === 'createdAt') return createdAt(user.id);
  const value = user[property];
  return mark(typeof value === 'number' ? padded(value) : value === undefined ? value : fold(value));
}

/**
 * What precedes the id in the order keys of all users with the same value. To find them, compare with BETWEEN: the
 * embedded DynamoDB cuts the operand of `begins_with` at a NUL.
 */
export const runPrefix = (text: string): string => `${text}${SEPARATOR}`;

/** The sort key of a field's index: unique, so that the order is total. At most 1,024 bytes are allowed, 817 used. */
export const orderKey = (user: User, field: FieldName): string =>
  `${runPrefix(sortText(user, field))}${paddedId(user.id)}`;

/** The index that holds all users in the order of a property; status and country have one partition a value instead. */
export const INDEX_OF_PROPERTY: Partial<Record<SortProperty, UsersIndex>> = {
  id: 'byId',
  createdAt: 'byId',
  name: 'byName',
  email: 'byEmail',
  age: 'byAge',
  firstName: 'byFirstName',
  lastName: 'byLastName',
};

/** The partition of the indexes that hold all users. */
export const KIND = 'user';

/** The attributes that only the indexes need. */
export const indexKeys = (user: User) => ({
  kind: KIND,
  nameKey: orderKey(user, 'name'),
  emailKey: orderKey(user, 'email'),
  ageKey: orderKey(user, 'age'),
  firstNameKey: orderKey(user, 'firstName'),
  lastNameKey: orderKey(user, 'lastName'),
  statusKey: mark(user.status),
  countryKey: mark(user.country),
  statusCountryKey: mark(user.status) + SEPARATOR + mark(user.country),
});
