import { type UserInput, type UserRepresentation, userInput } from '../../schemas/user.ts';
import { createdAt } from './ids.ts';

/** The members that a client may set, without the nulls that stand for "no value" in a request. */
export type UserFields = { [Field in keyof UserInput]: NonNullable<UserInput[Field]> };

export type FieldName = keyof UserFields & string;

/** A user as stored. Every write raises `version`; `createdAt` is decoded from the id and not stored. */
export type User = UserFields & { readonly id: number; readonly version: number };

/** In the order of validation. */
export const FIELD_NAMES = Object.keys(userInput.properties) as FieldName[];

/** Keeps what is a field and has a value: other members, `id` and `createdAt` among them, are ignored. */
export function pickFields(source: UserInput): UserFields {
  const entries = FIELD_NAMES.map((field) => [field, source[field]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== undefined)) as UserFields;
}

/** A user from an item of the table or of an index. */
export const toUser = ({ id, version, fields }: Record<string, unknown>): User => ({
  id: Number(id),
  version: Number(version),
  ...pickFields(fields as UserFields),
});

/** The user as clients see it. */
export const represent = (user: User): UserRepresentation => ({
  id: user.id,
  ...pickFields(user),
  createdAt: createdAt(user.id),
});
