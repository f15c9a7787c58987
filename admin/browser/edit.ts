import { userInput } from '../../schemas/user.ts';
import type { User, UserFields } from './connection.ts';

/** The fields that people can enter. */
export const FIELD_NAMES = Object.keys(userInput.properties) as (keyof typeof userInput.properties)[];
export type FieldName = (typeof FIELD_NAMES)[number];

export const isRequired = (field: FieldName): boolean => (userInput.required as readonly string[]).includes(field);

export const isNumber = (field: FieldName): boolean =>
  (userInput.properties[field].type as readonly string[]).includes('integer');

/** What was entered for each field. */
export type Entered = Readonly<Record<FieldName, string>>;

export const textOf = (value: string | number | undefined): string => (value === undefined ? '' : String(value));

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

/** Who edits a user that somebody else has changed meanwhile: what both have now. */
export interface Conflict {
  /** The user as the service has it now. */
  theirs: Entered;
  mine: Entered;
  /** Fields with different values, of which one has to be chosen. Others were changed by one side only. */
  fields: readonly FieldName[];
}

/** @param base the user before both changed it */
export function conflictOf(base: Entered, mine: Entered, theirs: Entered): Conflict {
  const changedHere = new Set(differing(base, mine));
  const merged = Object.fromEntries(
    FIELD_NAMES.map((field) => [field, changedHere.has(field) ? mine[field] : theirs[field]]),
  ) as Entered;
  return { theirs, mine: merged, fields: differing(merged, theirs) };
}
