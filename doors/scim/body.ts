/** Bodies of SCIM as attributes by path: whole resources, and the operations of a PATCH (RFC 7644, section 3.5.2). */
import { ScimError } from './answers.ts';
import type { Json } from './asked.ts';
import { type Flat, isPrefix, knownPath, shortened } from './fields.ts';
import { type Filter, invalidFilter, parseFilter } from './filter.ts';
import { addElement, clearList, clearPlace, elementAt, isTrue, type List, listOf, placesOf } from './values.ts';

const MAX_OPERATIONS = 100;
/** The provider does not decide about these. In a resource they are ignored (RFC 7644, section 3.3), as Okta's passwords are. */
const NOT_WRITTEN =
  /^(?:id|meta|groups|schemas|\$\.schemas|password|\$\.manager\.(?:displayname|\$ref))$|^(?:meta|groups)\./;
/** Attributes of the standard that the door has no place for. */
const NOT_KEPT = /^(?:ims|photos|entitlements|roles|x509certificates)$/;

export type Op = 'add' | 'replace' | 'remove';

export const invalid = (detail: string, scimType = 'invalidValue') => new ScimError(400, detail, scimType);

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A scalar as a text. Others give the empty one: a deep array has no text. */
const textOf = (value: unknown): string => (typeof value === 'object' || value === undefined ? '' : String(value));

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

export const noAttribute = (path: string) => invalid(`There is no attribute "${path.slice(0, 100)}"`, 'invalidPath');

/** An attribute's value. Entra sends booleans as texts, and others send numbers for texts. */
function scalar(path: string, value: unknown): string | boolean {
  const text = textOf(value);
  if (path === 'active' && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (path === 'active' || text === '' || typeof value === 'boolean')
    throw invalid(`The value of ${path} has the wrong type`);
  return text;
}

function clear(flat: Flat, path: string): void {
  const list = listOf(path);
  if (list !== undefined) clearList(flat, list);
  for (const each of [...flat.keys()]) if (`${each.toLowerCase()}.`.startsWith(`${path}.`)) flat.delete(each);
}

/** Values that a client sends for a list: objects, or the texts of their `value`. */
function elementsIn(list: List, given: unknown): Json[] {
  const elements = (Array.isArray(given) ? given : [given]).flatMap((each): Json[] => {
    if (isObject(each)) return [each];
    if (isNothing(each)) return [];
    if (typeof each === 'string') return [{ value: each }];
    throw invalid(`The value of ${list.name} must be an array of objects`);
  });
  const primary = elements.filter((each) =>
    Object.entries(each).some(([name, value]) => name.toLowerCase() === 'primary' && isTrue(value)),
  );
  if (primary.length > 1) throw invalid(`Only one value of ${list.name} is primary`);
  return elements;
}

/** Whether a value of a list meets a filter in a path. */
function isMeant(filter: Filter, element: Json): boolean {
  if (filter.is === 'some') throw invalidFilter('A filter in a path has no brackets of its own');
  if (filter.is !== 'test') return filter.of[filter.is === 'and' ? 'every' : 'some']((each) => isMeant(each, element));
  const { op, path, value } = filter;
  const [, found] = Object.entries(element).find(([name]) => name.toLowerCase() === path.toLowerCase()) ?? [];
  if (op === 'pr' || op === 'missing') return (found !== undefined) === (op === 'pr');
  const is = path.toLowerCase() === 'primary' ? String(found ?? false) : found;
  if (op === 'eq' || op === 'ne')
    return (String(is ?? '').toLowerCase() === String(value).toLowerCase()) === (op === 'eq');
  throw invalidFilter('A path chooses a value by "eq", "ne" and "pr" only');
}

/** The value that a filter such as `type eq "work"` describes. Undefined for a filter that says what the value is. */
function described(filter: Filter): Json | undefined {
  if (filter.is === 'test')
    return filter.op === 'eq' && /^(?:type|primary)$/i.test(filter.path)
      ? { [filter.path.toLowerCase()]: filter.value }
      : undefined;
  const [a, b] = filter.is === 'and' ? filter.of.map(described) : [];
  return a && b && { ...a, ...b };
}

/** A change of the values of a list that a filter chooses, or of one of their members. */
function applyToValues(flat: Flat, list: List, op: Op, filter: Filter, member: string, given: unknown): void {
  const isRemoval = op === 'remove' || isNothing(given);
  if (member === '' && !isRemoval && !isObject(given)) throw invalid(`The value of ${list.name} must be an object`);
  const chosen = placesOf(list).flatMap((place) => {
    const element = elementAt(flat, list, place);
    return element !== undefined && isMeant(filter, element) ? [{ key: place.key, element }] : [];
  });
  const isMember = [...list.members, 'type', 'primary'].some((name) => name.toLowerCase() === member);
  if (member !== '' && !isMember) throw noAttribute(`${list.name}.${member}`);
  const isNew = chosen.length === 0 && !isRemoval;
  const start = isNew ? described(filter) : undefined;
  if (chosen.length === 0 && start === undefined) throw invalid(`There is no such value of ${list.name}`, 'noTarget');
  const changed = (element: Json): Json => {
    const rest = Object.entries(element).filter(([name]) => name.toLowerCase() !== member);
    if (member !== '') return Object.fromEntries(isRemoval ? rest : [...rest, [member, given]]);
    return op === 'add' || isNew ? { ...element, ...Object(given) } : Object(given);
  };
  if (start !== undefined) addElement(flat, list, changed(start));
  for (const { key } of chosen) clearPlace(flat, list, key);
  if (isRemoval && /^(?:value)?$/.test(member)) return;
  for (const { key, element } of chosen) addElement(flat, list, changed(element), key);
}

function applyToList(flat: Flat, list: List, op: Op, given: unknown): void {
  const elements = elementsIn(list, given);
  if (op !== 'add') clearList(flat, list);
  for (const element of elements) addElement(flat, list, element);
}

/** A removal may name values: it takes no others. */
function removeFromList(flat: Flat, list: List, given: unknown): void {
  if (isNothing(given)) {
    clearList(flat, list);
    return;
  }
  for (const element of elementsIn(list, given)) {
    const tests = Object.entries(element).filter(([, value]) => !isNothing(value));
    const isIt = (kept: Json) =>
      tests.every(([path, value]) => isMeant({ is: 'test', op: 'eq', path, value: textOf(value) }, kept));
    const found = placesOf(list).filter((place) => {
      const kept = elementAt(flat, list, place);
      return kept !== undefined && tests.length > 0 && isIt(kept);
    });
    if (found.length === 0) throw invalid(`There is no such value of ${list.name}`, 'noTarget');
    for (const { key } of found) clearPlace(flat, list, key);
  }
}

/** Sets an attribute, or those under it. */
function set(flat: Flat, op: Op, path: string, given: unknown): void {
  if (NOT_WRITTEN.test(path)) return;
  const list = listOf(path);
  if (list !== undefined) {
    applyToList(flat, list, op, given);
    return;
  }
  if (NOT_KEPT.test(path)) {
    if (isNothing(given)) return;
    throw invalid(`This service does not keep ${path}`);
  }
  const known = knownPath(path);
  if (known === undefined && !isPrefix(path)) throw noAttribute(path);
  // Entra sends the manager as an array of one.
  const value = Array.isArray(given) && given.length === 1 && path === '$.manager' ? given[0] : given;
  if (isNothing(value)) clear(flat, path);
  else if (isPrefix(path) && isObject(value)) setMembers(flat, op, value, `${path}.`);
  else if (known !== undefined) flat.set(known, scalar(known, value));
  else throw invalid(`The value of ${path} must be an object`);
}

function setMembers(flat: Flat, op: Op, members: Json, prefix = ''): void {
  for (const [name, member] of Object.entries(members)) apply(flat, op, prefix + name, member, false);
}

/** Changes what a path means. @param isStrict whether the path is an operation's, which may not be one that is ignored */
function apply(flat: Flat, op: Op, text: string, value: unknown, isStrict: boolean): void {
  const [, attribute, filter, member = ''] = /^([^[\]#]+)(?:\[(.*)\](?:\.(\w+))?)?$/s.exec(text) ?? [];
  if (attribute === undefined) throw invalid(`"${text.slice(0, 100)}" is no path`, 'invalidPath');
  const path = shortened(attribute);
  if (isStrict && NOT_WRITTEN.test(path)) throw invalid(`${path} cannot be written`, 'mutability');
  const list = listOf(path);
  if (filter !== undefined) {
    if (list === undefined) throw invalid(`"${path.slice(0, 100)}" has no values to choose from`, 'invalidPath');
    applyToValues(flat, list, op, parseFilter(filter), member.toLowerCase(), value);
  } else if (listOf(path.split('.')[0] ?? '') !== undefined && path.includes('.')) {
    throw invalid(`Say which value: ${path.replace('.', '[type eq "work"].')}`, 'invalidPath');
  } else if (op !== 'remove') set(flat, op, path, value);
  else if (list !== undefined) removeFromList(flat, list, value);
  else if (knownPath(path) === undefined && !isPrefix(path)) throw noAttribute(path);
  else clear(flat, path);
}

/** The attributes of a resource that a client sends. @throws {ScimError} */
export function flatOfBody(body: Json): Flat {
  const flat: Flat = new Map();
  setMembers(flat, 'replace', body);
  if (!flat.has('userName')) throw invalid('userName is required');
  return flat;
}

/** Members by their names in lower case, of those that are known. Microsoft's programs give operations a `name`. */
function membersIn(object: Json, known: RegExp): Json {
  for (const name of Object.keys(object))
    if (!known.test(name)) throw invalid(`There is no member "${name.slice(0, 100)}"`, 'invalidSyntax');
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name.toLowerCase(), value]));
}

interface Operation {
  op: Op;
  /** Absent where the value is an object with the attributes. */
  path?: string;
  value: unknown;
}

function operationIn(given: unknown): Operation {
  const operation = membersIn(isObject(given) ? given : {}, /^(?:op|path|value|name)$/i);
  const { path, value } = operation;
  const op = textOf(operation.op).toLowerCase();
  if (op !== 'add' && op !== 'replace' && op !== 'remove')
    throw invalid('The op of an operation must be add, replace or remove', 'invalidSyntax');
  if (path === undefined || path === '') {
    if (op === 'remove') throw invalid('A remove needs a path', 'noTarget');
    if (!isObject(value)) throw invalid('Without a path the value must be an object');
    return { op, value };
  }
  if (op !== 'remove' && value === undefined) throw invalid(`${op} needs a value`);
  return { op, path: textOf(path), value };
}

/** The operations of a PATCH. @throws {ScimError} */
export function operationsIn(body: Json, most: number): Operation[] {
  const { operations } = membersIn(body, /^(?:schemas|operations)$/i);
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > most)
    throw invalid(`Operations must be an array of 1 to ${most}`, 'invalidSyntax');
  return operations.map(operationIn);
}

/** The attributes after the operations. @throws {ScimError} */
export function patched(before: Flat, body: Json): Flat {
  const after = new Map(before);
  for (const { op, path, value } of operationsIn(body, MAX_OPERATIONS)) {
    if (path === undefined) setMembers(after, op, Object(value));
    else apply(after, op, path, value, true);
  }
  if (before.has('userName') && !after.has('userName')) throw invalid('userName is required');
  // Without a status a user would be active.
  if (before.get('active') === false && !after.has('active'))
    throw invalid('A user who is not active becomes so by "active": true, and not by its removal', 'mutability');
  return after;
}
