/** Bodies of SCIM as attributes by path: whole resources, and the operations of a PATCH (RFC 7644, section 3.5.2). */
import { ScimError } from './answers.ts';
import type { Json } from './asked.ts';
import { type Flat, isPrefix, knownPath, LISTS, shortened, TYPE } from './fields.ts';
import { type Filter, invalidFilter, parseFilter } from './filter.ts';

const MAX_OPERATIONS = 100;
/** Attributes of the standard that the door does not keep. They are left out: none of them is a reason to refuse a user. */
const LEFT_OUT =
  /^(?:schemas|password|profileurl|ims|photos|entitlements|roles|x509certificates|urn:|(?:\$|name|phonenumbers|addresses|emails)\.)/;
const READ_ONLY = /^(?:id|meta|groups)\b/;

const invalid = (detail: string, scimType = 'invalidValue') => new ScimError(400, detail, scimType);

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A scalar as a text. Others give the empty one: a deep array has no text. */
const textOf = (value: unknown): string => (typeof value === 'object' || value === undefined ? '' : String(value));

/** An attribute's value. Entra sends booleans as texts, and others send numbers for texts. */
function scalar(path: string, value: unknown): string | boolean {
  const text = textOf(value);
  if (path === 'active' && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (path === 'active' || text === '' || typeof value === 'boolean')
    throw invalid(`The value of ${path} has the wrong type`);
  return text;
}

/** The value of a list that the door keeps: the primary one, or that of its type, or the first. */
const chosen = (values: unknown[]): unknown =>
  values.find((value) => isObject(value) && textOf(value.primary).toLowerCase() === 'true') ??
  values.find((value) => isObject(value) && value.type === TYPE) ??
  values[0];

function clear(flat: Flat, path: string): void {
  for (const each of [...flat.keys()]) if (`${each.toLowerCase()}.`.startsWith(`${path}.`)) flat.delete(each);
}

/** Sets an attribute, or those under it. Others than the door keeps are left out. */
function set(flat: Flat, path: string, given: unknown): void {
  const value = Array.isArray(given) ? chosen(given) : given;
  const known = knownPath(path);
  if (value === null || value === undefined || value === '' || Array.isArray(given)) clear(flat, path);
  if (value === null || value === undefined || value === '') return;
  if (isPrefix(path) && isObject(value)) setMembers(flat, value, `${path}.`);
  else if (known !== undefined) flat.set(known, scalar(known, value));
  else if (isPrefix(path)) throw invalid(`The value of ${path} must be an object`);
}

function setMembers(flat: Flat, members: Json, prefix = ''): void {
  for (const [name, member] of Object.entries(members)) {
    const path = pathOf(flat, prefix + name);
    if (path !== undefined) set(flat, path, member);
  }
}

/** Whether a filter in a path means the value of a list that the door keeps. */
function isMeant(filter: Filter, element: Json): boolean {
  if (filter.is !== 'test') return filter.of[filter.is === 'and' ? 'every' : 'some']((each) => isMeant(each, element));
  const { op, path, value } = filter;
  const [, found] = Object.entries(element).find(([name]) => name === path.toLowerCase()) ?? [];
  if (op === 'eq' || op === 'ne')
    return (String(found).toLowerCase() === String(value).toLowerCase()) === (op === 'eq');
  throw invalidFilter('A path chooses a value by "eq" only');
}

/** A path, shortened. Undefined for a value of a list that the door does not keep. */
function pathOf(flat: Flat, text: string): string | undefined {
  const [, attribute, filter, sub = ''] = /^([^[\]]+)(?:\[(.*)\](\.\w+)?)?$/s.exec(text) ?? [];
  if (attribute === undefined) throw invalid(`"${text.slice(0, 100)}" is no path`, 'invalidPath');
  const name = shortened(attribute);
  if (filter === undefined) return name;
  if (!LISTS.some((list) => list.toLowerCase() === name)) return undefined;
  const value = flat.get(knownPath(name) ?? '');
  if (isMeant(parseFilter(filter), { type: TYPE, primary: true, value })) return name + sub.toLowerCase();
  if (/\bvalue\b/i.test(filter)) throw invalid(`There is no such value of ${name}`, 'noTarget');
  return undefined;
}

/** The attributes of a resource that a client sends. @throws {ScimError} `invalidValue` */
export function flatOfBody(body: Json): Flat {
  const flat: Flat = new Map();
  setMembers(flat, body);
  if (!flat.has('userName')) throw invalid('userName is required');
  return flat;
}

function apply(flat: Flat, operation: unknown): void {
  const { op: given, path: text, value } = isObject(operation) ? operation : {};
  const op = textOf(given).toLowerCase();
  if (!/^(?:add|replace|remove)$/.test(op))
    throw invalid('The op of an operation must be add, replace or remove', 'invalidSyntax');
  if (text === undefined || text === '') {
    if (op === 'remove') throw invalid('A remove needs a path', 'noTarget');
    if (!isObject(value)) throw invalid('Without a path the value must be an object');
    setMembers(flat, value);
    return;
  }
  const path = pathOf(flat, textOf(text));
  if (path === undefined) return;
  if (READ_ONLY.test(path)) throw invalid(`${path} cannot be written`, 'mutability');
  const known = knownPath(path);
  if (known === undefined && !isPrefix(path) && !LEFT_OUT.test(path))
    throw invalid(`There is no attribute "${path.slice(0, 100)}"`, 'invalidPath');
  if (op === 'remove') clear(flat, path);
  else if (value === undefined) throw invalid(`${op} needs a value`);
  else set(flat, path, value);
}

/** The attributes after the operations. @throws {ScimError} */
export function patched(before: Flat, body: Json): Flat {
  const [, operations] = Object.entries(body).find(([name]) => name.toLowerCase() === 'operations') ?? [];
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_OPERATIONS)
    throw invalid(`Operations must be an array of 1 to ${MAX_OPERATIONS}`, 'invalidSyntax');
  const after = new Map(before);
  for (const operation of operations) apply(after, operation);
  if (before.has('userName') && !after.has('userName')) throw invalid('userName is required');
  return after;
}
