import { userInput } from '../../schemas/user.ts';
import type { User, UserFields } from './connection.ts';
import { ATTRIBUTE, isAttribute } from './filters.ts';

type InputField = Exclude<keyof typeof userInput.properties, 'attributes'>;

/** The fields that people can enter, but for attributes, which have names of their own. */
export const FIELD_NAMES = Object.keys(userInput.properties).filter((name) => name !== 'attributes') as InputField[];
export type FieldName = (typeof FIELD_NAMES)[number];

export const isRequired = (field: string): boolean => (userInput.required as readonly string[]).includes(field);

export const isNumber = (field: FieldName): boolean =>
  (userInput.properties[field].type as readonly string[]).includes('integer');

export type Value = string | number | boolean | readonly string[];

/** The values of a user, each attribute one of them. */
export type Fields = ReadonlyMap<string, Value>;

type Some = { readonly [Member in keyof User]?: User[Member] | undefined };

export function valuesOf(user: Some): Fields {
  const { attributes = {}, ...fields } = user as Some & { attributes?: object };
  const own = Object.entries(attributes).map(([name, value]): [string, unknown] => [ATTRIBUTE + name, value]);
  return new Map([...Object.entries(fields), ...own].filter(([, value]) => value !== undefined) as [string, Value][]);
}

export const textOf = (value: Value | undefined): string =>
  value === undefined ? '' : Array.isArray(value) ? value.join(', ') : String(value);

/** What was entered for each field, and for attributes as JSON, by the names of properties. What is missing is empty. */
export type Entered = Readonly<Record<string, string>>;

export const enteredOf = (user: Some): Entered =>
  Object.fromEntries([
    ...FIELD_NAMES.map((field) => [field, textOf(user[field])]),
    ...[...valuesOf(user)].flatMap(([name, value]) => (isAttribute(name) ? [[name, JSON.stringify(value)]] : [])),
  ]);

/** What is sent for a text. What is no number is sent as it is, and the service says what is wrong with it. */
const sentFor = (field: string, text: string): string | number =>
  isNumber(field as FieldName) && /^\s*-?\d+\s*$/.test(text) && Number.isSafeInteger(Number(text))
    ? Number(text)
    : text;

const namesIn = (...all: Entered[]): string[] => [...new Set(all.flatMap((each) => Object.keys(each)))];

/** The fields that differ. */
export const differing = (one: Entered, other: Entered): string[] =>
  namesIn(one, other).filter((field) => (one[field] ?? '') !== (other[field] ?? ''));

/** A JSON Merge Patch (RFC 7396) with these fields as they were entered. An empty one takes a value away. */
export function patchOf(entered: Entered, fields: readonly string[]): UserFields {
  const given = (field: string) => {
    const text = entered[field] ?? '';
    if (text === '' && !isRequired(field)) return null;
    return isAttribute(field) ? JSON.parse(text) : sentFor(field, text);
  };
  const attributes = fields.filter(isAttribute).map((name) => [name.slice(ATTRIBUTE.length), given(name)]);
  return {
    ...Object.fromEntries(fields.filter((field) => !isAttribute(field)).map((field) => [field, given(field)])),
    ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) }),
  };
}

/** A whole user, without the fields that were left empty. */
export const fieldsOf = (entered: Entered): UserFields =>
  patchOf(
    entered,
    Object.keys(entered).filter((field) => entered[field] !== '' || isRequired(field)),
  );

/** A user as it was, to bring it back. */
export const fieldsOfUser = ({ id: _, createdAt: __, ...fields }: User): UserFields => fields;

/** What makes one state of a user the other one. */
export function patchTo(wanted: User, present: User): UserFields {
  const entered = enteredOf(wanted);
  return patchOf(entered, differing(entered, enteredOf(present)));
}

/** What was entered for a user that somebody else has changed meanwhile: their values, but where something was changed here. */
export const rebased = (base: Entered, mine: Entered, theirs: Entered): Entered =>
  Object.fromEntries(
    namesIn(base, mine, theirs).map((field) => [
      field,
      (mine[field] === base[field] ? theirs[field] : mine[field]) ?? '',
    ]),
  );
