import { isNumber, NUMBER, PLAIN_FIELDS, type PlainField } from '../../../lib/users/user.ts';
import { REQUIRED } from '../../../schemas/fields.ts';
import { ATTRIBUTE_NAME } from '../../../schemas/limits.ts';
import type { Body, User } from './connection.ts';
import { ATTRIBUTE, isAttribute, labelOf, short } from './filters.ts';

/** The fields that people can enter, but for attributes, which have names of their own, in the order of a form. */
const FIRST: readonly PlainField[] = ['name', 'firstName', 'lastName', 'email', 'status', 'country', 'age'];
export const FIELD_NAMES = [...new Set([...FIRST, ...PLAIN_FIELDS])];

export type Value = string | number | boolean | readonly string[];

/** The values of a user by their properties, each attribute one of them. A property without a value is absent. */
export type Fields = ReadonlyMap<string, Value>;

export const EMPTY: Fields = new Map();

export function valuesOf({ attributes = {}, ...fields }: { attributes?: object }): Fields {
  const own = Object.entries(attributes).map(([name, value]): [string, Value] => [ATTRIBUTE + name, value]);
  return new Map([...Object.entries<Value>(fields), ...own]);
}

/** Those that can be entered. */
export const fieldsOf = ({ id: _, createdAt: __, updatedAt: ___, ...fields }: User): Fields => valuesOf(fields);

/** The properties of a user in the order of a form. */
export const inOrder = (fields: Fields): string[] => [...FIELD_NAMES, ...[...fields.keys()].filter(isAttribute)];

export const textOf = (value: Value | undefined): string =>
  Array.isArray(value) ? value.join(', ') : String(value ?? '');

/** The kinds of values of an attribute. */
export const KINDS = ['text', 'number', 'yes / no', 'date', 'list'] as const;

export type Kind = (typeof KINDS)[number];

/** A date as `<input type="date">` has it. */
const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true;

/** Whether a text is a moment as services write it, such as `2026-09-12T10:22:00Z`. */
export const isMomentText = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text));

export function kindOf(value: Value | undefined): Kind {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'yes / no';
  if (typeof value === 'object') return 'list';
  return value !== undefined && isDate(value) ? 'date' : 'text';
}

/** The attribute that a tag goes into. */
export const TAGS = `${ATTRIBUTE}tags`;

/** The attributes that this tab has shown, with the kind of the last value of each, and that of tags, which the page itself gives. */
export const shownKinds = new Map<string, Kind>([[TAGS, 'list']]);

/** The entry of a property: a text, and of a list the items before it. */
export interface Entry {
  property: string;
  kind: Kind;
  text: string;
  items: readonly string[];
}

export function entryOf(property: string, value: Value | undefined): Entry {
  const kind = isNumber(property) ? 'number' : isAttribute(property) ? kindOf(value) : 'text';
  const items = Array.isArray(value) ? value : [];
  return { property, kind, text: kind === 'list' ? '' : textOf(value), items };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Whether an entry is no longer that of the value among some fields. */
export const isTouched = ({ property, kind, text, items }: Entry, fields: Fields): boolean =>
  !isSame({ property, kind, text, items }, entryOf(property, fields.get(property)));

/** A number whose digits JavaScript keeps: 17 of them tell any double apart, and an integer has to be exact. */
function numberIn(text: string): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const value = Number(text);
  const digits = text.replace(/[eE].*|^-?0*\.?0*|\./g, '').length;
  const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value) && digits <= 17;
  return isExact ? value : undefined;
}

/** The items of a list, each once. */
const itemsIn = ({ items, text }: Entry): string[] => [
  ...new Set([...items, ...text.split(',').map((item) => item.trim())].filter(Boolean)),
];

/** The value of an entry. Undefined: none, or none of its kind, and then it has a fault. It is never one of another kind. */
export function valueIn(entry: Entry): Value | undefined {
  const { kind, text } = entry;
  if (kind === 'list') return itemsIn(entry).length > 0 ? itemsIn(entry) : undefined;
  if (kind === 'number') return numberIn(text.trim());
  if (kind === 'yes / no') return text === 'true' || text === 'false' ? text === 'true' : undefined;
  if (kind === 'date') return isDate(text) ? text : undefined;
  return text === '' ? undefined : text;
}

export const isRequired = (property: string): boolean => REQUIRED.some((each) => each === property);

const NAME = new RegExp(ATTRIBUTE_NAME);

/** Why a text is none of the kind that was chosen for it. */
function faultOfKind(entry: Entry): string | undefined {
  const { kind, text } = entry;
  if (text.trim() === '' || valueIn(entry) !== undefined) return undefined;
  if (kind === 'number') {
    return NUMBER.test(text.trim())
      ? `“${short(text)}” would be rounded`
      : `“${short(text)}” is no number. Write digits, such as 5`;
  }
  return kind === 'date' ? `“${short(text)}” is no date. Write it like 2027-01-31` : 'Choose yes or no';
}

/** Parts of an address between dots, before and behind the @, as the service takes them: it judges the rest. */
const ADDRESS =
  /^(?:".*"|[^\s@"(),:;<>[\]\\.]+(?:\.[^\s@"(),:;<>[\]\\.]+)*)@(?:\[.+\]|[^\s!-,./:-@[-`{-~]+(?:\.[^\s!-,./:-@[-`{-~]+)*)$/;

function faultOfField(entry: Entry): string | undefined {
  const { property, text } = entry;
  if (isRequired(property) && text.trim() === '') return `${labelOf(property)} is required`;
  if (property === 'email' && text !== '' && !ADDRESS.test(text)) return 'Email must be valid';
  const value = valueIn(entry);
  if (isNumber(property) && typeof value === 'number' && !(Number.isInteger(value) && value >= 0))
    return `${labelOf(property)} must be positive`;
  return undefined;
}

/** The fault of an entry, among all of them. The service judges the rest. */
export function faultOf(entry: Entry, all: readonly Entry[]): string | undefined {
  const { property } = entry;
  if (isAttribute(property)) {
    const name = labelOf(property);
    if (!NAME.test(name)) return name === '' ? 'A name is missing' : `“${name}” is no name: letters, digits, - and _`;
    if (all.some((other) => other !== entry && other.property === property)) return `There are two called ${name}`;
  }
  return faultOfField(entry) ?? faultOfKind(entry);
}

/** The values of some entries. One that nobody has touched stays as it was. */
export function valuesIn(entries: readonly Entry[], start: Fields): Fields {
  const values = entries.flatMap((entry): [string, Value][] => {
    const value = isTouched(entry, start) ? valueIn(entry) : start.get(entry.property);
    return value === undefined ? [] : [[entry.property, value]];
  });
  return new Map(values);
}

/** The properties whose values differ. */
export const differing = (one: Fields, other: Fields): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter((property) => !isSame(one.get(property), other.get(property)));

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
