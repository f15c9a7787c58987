/** Bodies of groups as changes: whole groups, and the operations of a PATCH in the forms of Okta and Entra. */
import type { Json } from './asked.ts';
import { invalid, isObject, noAttribute, type Op, operationsIn } from './body.ts';
import { type Filter, invalidFilter, parseFilter } from './filter.ts';
import type { Change } from './members.ts';

export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** Providers send an operation for each member that they remove. */
const MAX_OPERATIONS = 1_000;
/** Characters of a name, as Entra has them. */
const MAX_NAME = 256;
const MAX_EXTERNAL_ID = 500;
/** The provider does not decide about these. In a whole group they are ignored. */
const NOT_WRITTEN = /^(?:id|meta|schemas)$/;

/** Undefined stays as it is. */
export interface GroupChange {
  displayName?: string;
  /** Null: it is taken away. */
  externalId?: string | null;
  members: Change;
}

const isNothing = (value: unknown) => value === undefined || value === null;

/** A path without the URN of groups, in lower case. */
export function bare(path: string): string {
  const lower = path.trim().toLowerCase();
  return lower.startsWith(`${GROUP}:`.toLowerCase()) ? lower.slice(GROUP.length + 1) : lower;
}

function textIn(name: string, value: unknown, most: number): string {
  if (
    typeof value === 'string' &&
    value.trim() !== '' &&
    [...value].length <= most &&
    !/[\p{Cc}\p{Surrogate}]/u.test(value)
  )
    return value;
  throw invalid(`${name} must be a text of 1 to ${most} characters`);
}

/** The id of a member: `{"value": "7"}`, or the id alone. */
function idIn(given: unknown): string {
  const element: Json = isObject(given) ? given : { value: given };
  const members = Object.entries(element).map(([name, value]) => [name.toLowerCase(), value] as const);
  const strange = members.find(([name]) => !/^(?:value|display|type|\$ref)$/.test(name));
  if (strange !== undefined) throw noAttribute(`members.${strange[0]}`);
  const { value, type } = Object.fromEntries(members);
  if (!isNothing(type) && !/^user$/i.test(String(type))) throw invalid('The members of a group are users');
  if (typeof value === 'number' || (typeof value === 'string' && value !== '')) return String(value);
  throw invalid('A member needs its id as value');
}

const idsIn = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(idIn);

/** The ids of `value eq "7" or value eq "8"`. */
function idsOf(filter: Filter): string[] {
  if (filter.is === 'or') return filter.of.flatMap(idsOf);
  if (filter.is === 'test' && filter.op === 'eq' && /^value$/i.test(filter.path)) return [String(filter.value)];
  throw invalidFilter('A path chooses members by value eq "…" only');
}

/** A removal without a value takes all members away, and one with an empty list nobody (RFC 7644, section 3.5.2.2). */
function changeMembers(members: Change, op: Op, value: unknown): void {
  const isWhole = op === 'replace' || (op === 'remove' && value === undefined);
  const ids = isWhole && op === 'remove' ? [] : idsIn(value);
  if (isWhole) {
    members.keepsOthers = false;
    members.add.clear();
    members.remove.clear();
  }
  for (const id of ids) {
    members[op === 'remove' ? 'add' : 'remove'].delete(id);
    members[op === 'remove' ? 'remove' : 'add'].add(id);
  }
}

function set(change: GroupChange, op: Op, name: string, value: unknown): void {
  if (name === 'members') changeMembers(change.members, op, value);
  else if (name === 'externalid')
    change.externalId = op === 'remove' || isNothing(value) ? null : textIn('externalId', value, MAX_EXTERNAL_ID);
  else if (name !== 'displayname') throw noAttribute(name);
  else if (op === 'remove') throw invalid('displayName is required');
  else change.displayName = textIn('displayName', value, MAX_NAME);
}

const nothing = (): GroupChange => ({ members: { keepsOthers: true, add: new Set(), remove: new Set() } });

function setAll(change: GroupChange, op: Op, body: Json): void {
  for (const [name, value] of Object.entries(body))
    if (!NOT_WRITTEN.test(bare(name))) set(change, op, bare(name), value);
}

/** A whole group. @throws {ScimError} */
export function groupIn(body: Json): GroupChange & { displayName: string } {
  const change = nothing();
  setAll(change, 'replace', body);
  const { displayName } = change;
  if (displayName === undefined) throw invalid('displayName is required');
  return { ...change, displayName };
}

/** The operations of a PATCH, all together. @throws {ScimError} */
export function groupPatchIn(body: Json): GroupChange {
  const change = nothing();
  for (const { op, path, value } of operationsIn(body, MAX_OPERATIONS)) {
    if (path === undefined) {
      setAll(change, op, Object(value));
      continue;
    }
    const [, name = '', filter] = /^([^[\]]+)(?:\[(.*)\])?$/s.exec(path) ?? [];
    const attribute = bare(name);
    if (NOT_WRITTEN.test(attribute)) throw invalid(`${attribute} cannot be written`, 'mutability');
    if (filter === undefined) set(change, op, attribute, value);
    else if (attribute !== 'members') throw invalid(`"${attribute}" has no values to choose from`, 'invalidPath');
    else if (op !== 'remove') throw invalid('Members are added and removed, and not changed', 'mutability');
    else changeMembers(change.members, op, idsOf(parseFilter(filter)));
  }
  return change;
}
