import { userInput } from '../../schemas/user.ts';
import type { User, UserChange, UserFields } from './connection.ts';

export type FieldName = Exclude<keyof typeof userInput.properties, 'attributes'>;

/** The fields that people can enter. */
export const FIELD_NAMES = Object.keys(userInput.properties).filter((name): name is FieldName => name !== 'attributes');

export const isRequired = (field: FieldName): boolean => (userInput.required as readonly string[]).includes(field);

export const isNumber = (field: FieldName): boolean =>
  (userInput.properties[field].type as readonly string[]).includes('integer');

/** What was entered for each field. */
export type Entered = Readonly<Record<FieldName, string>>;

export const textOf = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');

export const enteredOf = (user: Partial<User>): Entered =>
  Object.fromEntries(FIELD_NAMES.map((field) => [field, textOf(user[field])])) as Entered;

/** What is sent for a text. What is no number is sent as it is, and the service says what is wrong with it. */
const sentFor = (field: FieldName, text: string): string | number =>
  isNumber(field) && /^\s*-?\d+\s*$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;

/** The fields that differ. */
export const differing = (one: Entered, other: Entered): FieldName[] =>
  FIELD_NAMES.filter((field) => one[field] !== other[field]);

/** A JSON Merge Patch (RFC 7396) with these fields as they were entered. An empty one takes a value away. */
export const patchOf = (entered: Entered, fields: readonly FieldName[]): UserFields =>
  Object.fromEntries(
    fields.map((field) => [field, entered[field] === '' && !isRequired(field) ? null : sentFor(field, entered[field])]),
  );

/** A whole user, without the fields that were left empty. */
export const fieldsOf = (entered: Entered): UserFields =>
  patchOf(
    entered,
    FIELD_NAMES.filter((field) => entered[field] !== '' || isRequired(field)),
  );

/** A user as it was, to bring it back. */
export const fieldsOfUser = (user: User): UserFields =>
  Object.fromEntries(FIELD_NAMES.flatMap((field) => (user[field] === undefined ? [] : [[field, user[field]]])));

/** The fields that differ between two states of a user, before and after. */
export function differencesOf(one: User, other: User): Pick<UserChange, 'before' | 'after'> {
  const fields = differing(enteredOf(one), enteredOf(other));
  const some = (user: User) => Object.fromEntries(fields.map((field) => [field, user[field]]));
  return { before: some(one), after: some(other) };
}

/** What was entered for a user that somebody else has changed meanwhile: their values, but where something was changed here. */
export const rebased = (base: Entered, mine: Entered, theirs: Entered): Entered =>
  Object.fromEntries(
    FIELD_NAMES.map((field) => [field, mine[field] === base[field] ? theirs[field] : mine[field]]),
  ) as Entered;
