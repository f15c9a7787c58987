import { isNumber } from '../../lib/users/user.ts';
import { userInput } from '../../schemas/user.ts';
import type { Body, User } from './connection.ts';
import { ATTRIBUTE, isAttribute, labelOf } from './filters.ts';

/** The fields that people can enter, but for attributes, which have names of their own. */
export const FIELD_NAMES = Object.keys(userInput.properties).filter((name) => name !== 'attributes');

export type Value = string | number | boolean | readonly string[];

/** The values of a user by their properties, each attribute one of them. What has none is absent. */
export type Fields = ReadonlyMap<string, Value>;

export const EMPTY: Fields = new Map();

export function valuesOf({ attributes = {}, ...fields }: { attributes?: object }): Fields {
  const own = Object.entries(attributes).map(([name, value]): [string, Value] => [ATTRIBUTE + name, value]);
  return new Map([...Object.entries<Value>(fields), ...own]);
}

/** Those that can be entered. */
export const fieldsOf = ({ id: _, createdAt: __, updatedAt: ___, ...fields }: User): Fields => valuesOf(fields);

export const textOf = (value: Value | undefined): string =>
  Array.isArray(value) ? value.join(', ') : String(value ?? '');

/** The kinds of values of an attribute, by their types. */
const KIND_OF = new Map<string, string>([
  ['string', 'text'],
  ['number', 'number'],
  ['boolean', 'true or false'],
  ['object', 'list (a, b)'],
]);

export const KINDS = [...KIND_OF.values()];

export const kindOf = (value: Value | undefined): string => KIND_OF.get(typeof value) ?? 'text';

/** The value that a text stands for, of any kind of list a list. The service says what is wrong with what is no number. */
export function valueIn(kind: string, text: string): Value | undefined {
  if (text === '') return undefined;
  if (kind.includes('list')) return [...new Set(text.split(',').map((item) => item.trim()))].filter(Boolean);
  if (kind === 'true or false' && /^(true|false)$/.test(text)) return text === 'true';
  const isNumeric = text.trim() !== '' && Number.isFinite(Number(text));
  return kind === 'number' && isNumeric ? Number(text) : text;
}

/** The rows of a form of fields and attributes: each property, the kind of its value, and its text. */
export function rowsIn(form: HTMLFormElement) {
  const data = new FormData(form);
  const all = (name: string) => data.getAll(name).map(String);
  const [kinds, texts] = [all('kind'), all('value')];
  const fields = FIELD_NAMES.filter((field) => data.has(field)).map((field) => ({
    property: field,
    kind: isNumber(field) ? 'number' : 'text',
    text: String(data.get(field)),
  }));
  const attributes = all('attribute').map((name, at) => ({
    property: ATTRIBUTE + name.trim(),
    kind: kinds[at] ?? '',
    text: texts[at] ?? '',
  }));
  return [...fields, ...attributes];
}

/** The values in the form of a user. A value that nobody has touched stays as it was. */
export function enteredIn(form: HTMLFormElement, start: Fields): Fields {
  const entered = rowsIn(form).flatMap(({ property, kind, text }): [string, Value][] => {
    const before = start.get(property);
    const value = kind === kindOf(before) && text === textOf(before) ? before : valueIn(kind, text);
    return value === undefined ? [] : [[property, value]];
  });
  return new Map(entered);
}

/** The properties whose values differ. */
export const differing = (one: Fields, other: Fields): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter(
    (property) => JSON.stringify(one.get(property)) !== JSON.stringify(other.get(property)),
  );

/** The body that sets some values. `null` takes one away. */
export function bodyOf(values: Iterable<readonly [property: string, Value | null]>): Body {
  const { fields = [], own } = Object.groupBy(values, ([property]) => (isAttribute(property) ? 'own' : 'fields'));
  const attributes = own?.map(([property, value]) => [labelOf(property), value]);
  return { ...Object.fromEntries(fields), ...(attributes && { attributes: Object.fromEntries(attributes) }) };
}

/** The JSON Merge Patch (RFC 7396) that makes one state of a user the other one. */
export const patchTo = (wanted: Fields, present: Fields): Body =>
  bodyOf(differing(wanted, present).map((property) => [property, wanted.get(property) ?? null]));

/** The form of a user whom somebody else has changed meanwhile: it has their values, and those that were changed here. */
export function rebased(base: Fields, mine: Fields, theirs: Fields): Fields {
  const changed = new Set(differing(base, mine));
  const kept = [...theirs].filter(([property]) => !changed.has(property));
  return new Map([...kept, ...[...mine].filter(([property]) => changed.has(property))]);
}
