import { FIELDS } from './fields.ts';
import { indexKeys } from './keys.ts';
import { FIELD_NAMES, type FieldName, type User, type UserFields } from './user.ts';

/** A user's fields as stored, by their short names: every list reads the names again with each of its users. */
export type StoredFields = Record<string, unknown>;

const FIELD_OF_SHORT = new Map<string, FieldName>(FIELD_NAMES.map((field) => [FIELDS[field].short, field]));

/** Leaves out fields without a value. */
export function storeFields(fields: UserFields): StoredFields {
  const stored: StoredFields = {};
  for (const [short, field] of FIELD_OF_SHORT) if (fields[field] !== undefined) stored[short] = fields[field];
  return stored;
}

/** Ignores names that are no field's. null stands for no value. */
export function restoreFields(stored: StoredFields): UserFields {
  const fields: Record<string, unknown> = {};
  for (const [short, field] of FIELD_OF_SHORT) if (stored[short] != null) fields[field] = stored[short];
  return fields as UserFields;
}

/** Neither is in a value: values have no control characters. */
const END = '\0';
const NOT_A_TEXT = '\u0001';

/** Stored fields as one text: the names, each followed by its value. Two thirds of the bytes of JSON, and read as fast. */
export const writeFields = (stored: StoredFields): string =>
  Object.entries(stored)
    .map(([short, value]) => short + (typeof value === 'string' ? value : NOT_A_TEXT + JSON.stringify(value)) + END)
    .join('');

export function readFields(text: string): StoredFields {
  const stored: StoredFields = {};
  for (let at = 0, end = 0; at < text.length; at = end + 1) {
    end = text.indexOf(END, at);
    const value = text.slice(at + 1, end);
    stored[text.charAt(at)] = value.startsWith(NOT_A_TEXT) ? JSON.parse(value.slice(1)) : value;
  }
  return stored;
}

/** An item of the Users table. Its fields are one attribute, so that indexes project all of them, including future ones. */
export const userItem = (user: User): Record<string, unknown> => ({
  id: user.id,
  v: user.version,
  f: storeFields(user),
  ...indexKeys(user),
});

/** A user from an item of the table or of an index. */
export const toUser = ({ id, v, f }: Record<string, unknown>): User => ({
  id: Number(id),
  version: Number(v),
  ...restoreFields(f as StoredFields),
});
