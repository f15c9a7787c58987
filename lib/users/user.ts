import type { PlainField } from '../../schemas/fields.ts';
import { type UserInput, type UserRepresentation, userInput } from '../../schemas/user.ts';
import { type Attributes, attributesOf } from './attributes.ts';
import { createdAt, momentText } from './ids.ts';

/** The fields that a client may set. A field without a value is absent; only requests have nulls. */
export type UserFields = {
  [Field in keyof UserInput]: Field extends 'attributes' ? Attributes : NonNullable<UserInput[Field]>;
};

export type FieldName = keyof UserFields & string;

/** A field with one value. `attributes` has many. */
export type { PlainField };

export type OptionalField = { [Field in PlainField]: undefined extends UserFields[Field] ? Field : never }[PlainField];

/** A user as lists have it: they know no versions. */
export type ListedUser = UserFields & {
  readonly id: number;
  /** The moment of the last write that changed the user, in Unix milliseconds. Undefined if that was before version 3.0.0. */
  readonly updatedAt?: number;
};

/** A user as stored. Every write raises `version`; `createdAt` is decoded from the id and not stored. */
export type User = ListedUser & { readonly version: number };

/** The fields in the order of validation. */
export const FIELD_NAMES = Object.keys(userInput.properties) as FieldName[];

export const PLAIN_FIELDS = FIELD_NAMES.filter((field): field is PlainField => field !== 'attributes');

export const isOptional = (field: PlainField): field is OptionalField =>
  !(userInput.required as readonly string[]).includes(field);

type Source = UserInput | Readonly<Record<string, unknown>>;

/** The fields that have a value, and no other member. */
function withValues(source: Source): UserFields {
  const fields: Record<string, unknown> = {};
  for (const field of FIELD_NAMES) {
    const value = (source as Readonly<Record<string, unknown>>)[field];
    if (value !== null && value !== undefined) fields[field] = value;
  }
  return fields as UserFields;
}

/** Keeps the fields that have a value, and those of attributes, in their order. Ignores other members, including `id`, `createdAt` and `updatedAt`. */
export function pickFields(source: Source): UserFields {
  const { attributes, ...fields } = withValues(source);
  const own = attributes && attributesOf(attributes);
  return { ...fields, ...(own && { attributes: own }) };
}

/** Whether a user has these fields, and no others. `pickFields` puts both into one order. */
export const hasFields = (user: User, fields: UserFields): boolean =>
  JSON.stringify(pickFields(user)) === JSON.stringify(fields);

/** The user as clients see it. What is stored has its attributes in order. */
export const represent = (user: ListedUser): UserRepresentation => ({
  id: user.id,
  ...withValues(user),
  createdAt: createdAt(user.id),
  ...(user.updatedAt !== undefined && { updatedAt: momentText(user.updatedAt) }),
});
