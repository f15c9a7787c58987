/** Attributes with several values, such as addresses: each value has a place of its own, by its type. */
import { ScimError } from './answers.ts';
import type { Json } from './asked.ts';

export interface List {
  name: string;
  /** Of the properties in which its values stand. */
  property: string;
  types: string[];
  /** How many values may have the same type. */
  places: number;
  members: string[];
}

/** A place of a value: `key` is its type, with a number from the second on. */
export interface Place {
  key: string;
  type: string;
}

const SAYINGS = ['value', 'display'];
const ADDRESS = ['formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country'];

/** The type of a value that is sent without one. It stands where the API has its own field. */
const TYPE = 'work';

export const LISTS: List[] = [
  { name: 'emails', property: 'email', types: [TYPE, 'home', 'other'], places: 2, members: SAYINGS },
  {
    ...{ name: 'phoneNumbers', property: 'phone', places: 2, members: SAYINGS },
    types: [TYPE, 'home', 'mobile', 'fax', 'pager', 'other'],
  },
  { name: 'addresses', property: 'address', types: [TYPE, 'home', 'other'], places: 1, members: ADDRESS },
];

/** Properties of the API that are fields, and no attributes. */
const FIELDS = new Map([
  ['email', 'email'],
  ['addressCountry', 'country'],
]);

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A path of the door has a `#` where a value is chosen: no client can send it. */
const pathAt = (list: List, key: string, member: string) => `${list.name}#${key}.${member}`;

const primaryPath = ({ name }: List) => `${name}#primary`;

export const placesOf = ({ types, places }: List): Place[] =>
  types.flatMap((type) =>
    Array.from({ length: places }, (_, n) => ({ key: n === 0 ? type : `${type}${n + 1}`, type })),
  );

export const listOf = (lower: string): List | undefined => LISTS.find(({ name }) => name.toLowerCase() === lower);

/** The property of the API for a member of the value at a place. */
export function propertyAt({ property }: List, key: string, member: string): string {
  const name = property + (key === TYPE ? '' : capital(key)) + (member === 'value' ? '' : capital(member));
  return FIELDS.get(name) ?? `attributes.${name}`;
}

/** All paths of the lists, with their properties. */
export const LIST_PROPERTIES: [path: string, property: string][] = LISTS.flatMap((list) => [
  ...placesOf(list).flatMap(({ key }) =>
    list.members.map((member): [string, string] => [pathAt(list, key, member), propertyAt(list, key, member)]),
  ),
  [primaryPath(list), `attributes.${list.property}Primary`] as [string, string],
]);

/** Instead of a place: values are there of which none is primary, as the client has said. */
const NONE = 'none';

type Values = Map<string, string | boolean>;

/** The value at a place as SCIM shows it. Undefined if there is none. */
export function elementAt(flat: Values, list: List, { key, type }: Place): Json | undefined {
  const members = list.members.flatMap((member) => {
    const value = flat.get(pathAt(list, key, member));
    return value === undefined ? [] : [[member, value] as const];
  });
  if (members.length === 0) return undefined;
  const primary = flat.get(primaryPath(list));
  return {
    ...(Object.fromEntries(members) as Json),
    type,
    ...(primary !== undefined && { primary: primary === key }),
  };
}

export const elementsOf = (flat: Values, list: List): Json[] =>
  placesOf(list).flatMap((place): Json[] => [elementAt(flat, list, place)].filter((each) => each !== undefined));

export function clearPlace(flat: Values, list: List, key: string): void {
  for (const member of list.members) flat.delete(pathAt(list, key, member));
  const isLast = placesOf(list).every((place) => elementAt(flat, list, place) === undefined);
  if (isLast || flat.get(primaryPath(list)) === key) flat.delete(primaryPath(list));
}

export function clearList(flat: Values, list: List): void {
  for (const { key } of placesOf(list)) clearPlace(flat, list, key);
}

const invalid = (detail: string, scimType = 'invalidValue') => new ScimError(400, detail, scimType);

export const isTrue = (value: unknown): boolean =>
  value === true || /^true$/i.test(typeof value === 'string' ? value : '');

const isNothing = (value: unknown) => value === null || value === undefined || value === '';

/** A text that a client sends for a member of a value. */
function memberOf(list: List, given: string, value: unknown): [name: string, value: string] | undefined {
  const name = list.members.find((each) => each.toLowerCase() === given.toLowerCase());
  if (name === undefined) throw invalid(`${list.name} has no "${given.slice(0, 100)}"`, 'invalidPath');
  if (isNothing(value)) return undefined;
  if (typeof value === 'string' || typeof value === 'number') return [name, String(value)];
  throw invalid(`The value of ${list.name}.${name} has the wrong type`);
}

/** The members of a value that a client sends, by their names in the schema. */
function membersOf(list: List, element: Json) {
  const members = new Map<string, string>();
  const kinds: Record<string, unknown> = {};
  for (const [given, value] of Object.entries(element)) {
    if (/^(?:type|primary)$/i.test(given)) {
      kinds[given.toLowerCase()] = isNothing(value) ? undefined : value;
      continue;
    }
    const member = memberOf(list, given, value);
    if (member !== undefined) members.set(...member);
  }
  const { type = TYPE, primary } = kinds;
  if (typeof type !== 'string') throw invalid(`The type of ${list.name} is a text`);
  if (
    primary !== undefined &&
    typeof primary !== 'boolean' &&
    !/^(?:true|false)$/i.test(typeof primary === 'string' ? primary : '')
  )
    throw invalid(`The primary of ${list.name} is true or false`);
  return { members, type: type.toLowerCase(), primary };
}

/** Gives a value its place. @param wanted the place that it had, if it is changed @throws {ScimError} if there is no place for it */
export function addElement(flat: Values, list: List, element: Json, wanted?: string): void {
  const { members, type, primary } = membersOf(list, element);
  if (!list.types.includes(type)) throw invalid(`The type of ${list.name} is one of ${list.types.join(', ')}`);
  if (members.size === 0) return;
  if (list.members.includes('value') && !members.has('value')) throw invalid(`A value of ${list.name} needs its value`);
  const main = list.members.includes('value') ? ['value'] : list.members;
  const places = placesOf(list).filter((place) => place.type === type);
  const isSame = ({ key }: Place) => main.every((name) => flat.get(pathAt(list, key, name)) === members.get(name));
  const isFree = (place: Place) => elementAt(flat, list, place) === undefined;
  const place =
    places.find(isSame) ?? places.find((each) => each.key === wanted && isFree(each)) ?? places.find(isFree);
  if (place === undefined) throw invalid(`${list.name} has no room for one more value of the type ${type}`);
  for (const [name, value] of members) flat.set(pathAt(list, place.key, name), value);
  if (isTrue(primary)) flat.set(primaryPath(list), place.key);
  else if (primary !== undefined && [undefined, place.key].includes(flat.get(primaryPath(list)) as string | undefined))
    flat.set(primaryPath(list), NONE);
}
