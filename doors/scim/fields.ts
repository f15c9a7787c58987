/** The fields of a user under their names in SCIM, and the way from one form to the other. */
import type { Settings } from '../door.ts';
import type { User } from './service.ts';
import { elementsOf, LIST_PROPERTIES, LISTS } from './values.ts';

export const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
/** In paths of the door it stands for `ENTERPRISE`, which has dots and colons. */
export const EXTENSION = '$';

const SAME = [
  ...['userName', 'nickName', 'profileUrl', 'title', 'userType', 'preferredLanguage', 'locale', 'timezone'],
];
const SAME_IN_NAME = ['middleName', 'honorificPrefix', 'honorificSuffix'];
const SAME_IN_EXTENSION = ['employeeNumber', 'costCenter', 'organization', 'division', 'department'];

/** It names a user who has no displayName. */
const FORMATTED = 'name.formatted';
const NAMES = ['name.givenName', 'name.familyName', FORMATTED];

/** The attributes of one value that the door keeps, by path, and the property of the API in which each stands. */
export const SINGLE = new Map<string, string>([
  ['externalId', 'externalId'],
  [FORMATTED, 'attributes.formattedName'],
  ['name.givenName', 'firstName'],
  ['name.familyName', 'lastName'],
  ...SAME_IN_NAME.map((name) => [`name.${name}`, `attributes.${name}`] as const),
  ['displayName', 'name'],
  ['active', 'status'],
  ...SAME.map((name) => [name, `attributes.${name}`] as const),
  ...SAME_IN_EXTENSION.map((name) => [`${EXTENSION}.${name}`, `attributes.${name}`] as const),
  [`${EXTENSION}.manager.value`, 'attributes.manager'],
]);

/** The same, and those of the lists. */
const PROPERTIES = new Map<string, string>([...SINGLE, ...LIST_PROPERTIES]);

const BY_LOWER = new Map([...SINGLE.keys()].map((path) => [path.toLowerCase(), path]));
const PREFIXES = new Set(
  [...BY_LOWER.keys()].flatMap((path) => [...path.matchAll(/\./g)].map(({ index }) => path.slice(0, index))),
);

/** A path in lower case, as names ignore it, without the URN of the core schema, and with `$` for the extension's. */
export function shortened(path: string): string {
  const [lower, core, extension] = [path, `${CORE}:`, ENTERPRISE].map((text) => text.toLowerCase()) as [
    string,
    string,
    string,
  ];
  if (lower === extension) return EXTENSION;
  if (/^[:.]/.test(lower.replace(extension, ''))) return `${EXTENSION}.${lower.slice(extension.length + 1)}`;
  return lower.startsWith(core) ? lower.slice(core.length) : lower;
}

/** A text as the API compares it. */
export const folded = (text: unknown) => String(text).toLowerCase().toUpperCase().toLowerCase().normalize('NFC');

/** A shortened path as the table writes it, also of `manager` for `manager.value`. Undefined if the door does not keep it. */
export const knownPath = (path: string): string | undefined => BY_LOWER.get(path) ?? BY_LOWER.get(`${path}.value`);

export const isPrefix = (path: string): boolean => PREFIXES.has(path);

/** The attributes of a user in SCIM, by path. */
export type Flat = Map<string, string | boolean>;

/** The statuses of users who are not active. The door writes the first. */
export const inactive = ({ SCIM_INACTIVE }: Settings): string[] =>
  (SCIM_INACTIVE || 'inactive').split(',').map((status) => status.trim());

/** Users whom the door has not made have no userName: it is the e-mail address, or the id. */
export const userNameOf = (flat: Flat, { email, id }: Partial<User>): string =>
  String(flat.get('userName') ?? email ?? id);

function valueIn(user: User, property: string): unknown {
  const [field, name] = property.split('.') as [string, string?];
  return name === undefined ? user[field] : new Map(Object.entries(user.attributes ?? {})).get(name);
}

/** The API takes no line feeds, which written addresses have (RFC 7643, section 4.1.2). This stands for one. */
const LINE = '\u2028';

const linesOf = (text: string) => text.replaceAll(LINE, '\n');

export function flatOf(user: User, settings: Settings): Flat {
  const flat: Flat = new Map();
  for (const [path, property] of PROPERTIES) {
    const value = valueIn(user, property);
    if (value !== undefined)
      flat.set(path, path === 'active' ? !inactive(settings).includes(String(value)) : linesOf(String(value)));
  }
  // The API needs a name. This is the one of a user who has no displayName.
  if (user.name === userNameOf(flat, user)) flat.delete('displayName');
  return flat;
}

/** The groups of a user: a text, or an array of them. */
export const groupsIn = (user: User | undefined, { SCIM_GROUPS = '' }: Settings): string[] =>
  [user?.attributes?.[SCIM_GROUPS] ?? []].flat().map(String);

/** The members of a resource that are made of the attributes. */
export function membersOf(flat: Flat): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const path of SINGLE.keys()) {
    const value = flat.get(path);
    if (value === undefined) continue;
    const names = path.split('.');
    const last = names.pop() ?? '';
    let parent = members;
    for (const name of names) {
      parent[name] ??= {};
      parent = Object(parent[name]);
    }
    parent[last] = value;
  }
  for (const list of LISTS) {
    const elements = elementsOf(flat, list);
    if (elements.length > 0) members[list.name] = elements;
  }
  return members;
}

/** The name that follows from the others. */
const derivedName = (flat: Flat, userName: string): string =>
  String(flat.get(FORMATTED) ?? '') ||
  ['name.givenName', 'name.familyName'].flatMap((path) => flat.get(path) ?? []).join(' ') ||
  userName;

/** The name after a change. A PATCH leaves a name that was given, and makes one anew that followed from names that change. */
function nameAfter(before: Flat, after: Flat, userName: string, isPatch: boolean): string {
  const [was, is] = [before.get('displayName'), after.get('displayName')];
  if (is !== was) return String(is ?? (isPatch ? userName : derivedName(after, userName)));
  const follows = was === undefined || (isPatch && was === derivedName(before, userName));
  const changed = NAMES.some((path) => before.get(path) !== after.get(path));
  return follows && changed ? derivedName(after, userName) : String(was ?? userName);
}

const statusOf = (isActive: boolean, settings: Settings) =>
  isActive ? settings.SCIM_ACTIVE || 'active' : inactive(settings)[0];

/** The merge patch that gives a user other attributes. */
export function patchOf(user: Partial<User>, before: Flat, after: Flat, settings: Settings, isPatch: boolean) {
  const patch: Record<string, unknown> = {};
  const attributes: Record<string, unknown> = {};
  for (const [path, property] of PROPERTIES) {
    const is = after.get(path);
    if (is === before.get(path)) continue;
    const [field, name] = property.split('.') as [string, string?];
    const value = typeof is === 'boolean' ? statusOf(is, settings) : (is?.replaceAll('\n', LINE) ?? null);
    if (name === undefined) patch[field] = value;
    else attributes[name] = value;
  }
  patch.name = nameAfter(before, after, userNameOf(after, { ...user, ...patch }), isPatch);
  if (patch.name === user.name) delete patch.name;
  return Object.keys(attributes).length > 0 ? { ...patch, attributes } : patch;
}
