/** Lists of groups: all are read, and what is asked for is found among them. */
import { type Page, ScimError } from './answers.ts';
import type { Query } from './asked.ts';
import { folded } from './fields.ts';
import { type Filter, invalidFilter, type Test } from './filter.ts';
import { bare } from './groupBody.ts';
import { countOf, windowOf } from './lists.ts';
import type { Group } from './table.ts';

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

/** The attributes of a group that are compared, by path. Moments are in UTC, and have the same length. */
const TEXTS = new Map<string, (group: Group) => string | undefined>([
  ['id', ({ id }) => id],
  ['externalid', ({ externalId }) => externalId],
  ['displayname', ({ displayName }) => folded(displayName)],
  ['meta.created', ({ createdAt }) => createdAt],
  ['meta.lastmodified', ({ updatedAt }) => updatedAt],
  ['meta.resourcetype', () => 'Group'],
]);

const COMPARISONS = new Map<string, (text: string, operand: string) => boolean>([
  ['eq', (text, operand) => text === operand],
  ['co', (text, operand) => text.includes(operand)],
  ['sw', (text, operand) => text.startsWith(operand)],
  ['ew', (text, operand) => text.endsWith(operand)],
  ['gt', (text, operand) => text > operand],
  ['ge', (text, operand) => text >= operand],
  ['lt', (text, operand) => text < operand],
  ['le', (text, operand) => text <= operand],
]);

type Meets = (group: Group) => boolean;

function operandOf(path: string, { op, value }: Test): string {
  const cannot = invalidFilter(`This service does not support "${path} ${op}" with this value`);
  if (typeof value !== 'string') throw cannot;
  if (!/^meta\.[cl]/.test(path)) return path === 'displayname' ? folded(value) : value;
  if (!DATE_TIME.test(value) || /^(?:co|sw|ew)$/.test(op) || Number.isNaN(Date.parse(value))) throw cannot;
  return new Date(value).toISOString();
}

function meetsTest(test: Test, groupsOf: Map<string, string[]>): Meets {
  const path = bare(test.path);
  const { op } = test;
  if (/^members(?:\.value)?$/.test(path)) {
    if (op !== 'eq') throw invalidFilter('Of members, groups are filtered by value eq "…" only');
    const member = String(test.value);
    groupsOf.set(member, []);
    return ({ id }) => groupsOf.get(member)?.includes(id) ?? false;
  }
  const textOf = TEXTS.get(path);
  if (textOf === undefined) throw invalidFilter(`"${test.path}" is no attribute that groups can be filtered by`);
  if (op === 'pr' || op === 'missing') return (group) => (textOf(group) !== undefined) === (op === 'pr');
  const operand = operandOf(path, test);
  const compare = COMPARISONS.get(op === 'ne' ? 'eq' : op);
  return (group) => {
    const text = textOf(group);
    return (text !== undefined && compare?.(text, operand) === true) !== (op === 'ne');
  };
}

/**
 * Whether a group meets a filter.
 *
 * @param groupsOf gets the users whom the filter names, and needs the groups of each before a group is asked for
 * @throws {ScimError} `invalidFilter` for what cannot be asked
 */
export function meets(filter: Filter, groupsOf: Map<string, string[]>): Meets {
  if (filter.is === 'test') return meetsTest(filter, groupsOf);
  if (filter.is === 'some') {
    const { path, of } = filter;
    if (of.is !== 'test') throw invalidFilter('Brackets have one comparison');
    return meetsTest({ ...of, path: `${path}.${of.path}` }, groupsOf);
  }
  const [a, b] = [meets(filter.of[0], groupsOf), meets(filter.of[1], groupsOf)];
  return filter.is === 'and' ? (group) => a(group) && b(group) : (group) => a(group) || b(group);
}

/** Groups in an order: those with the same text by id, and those without one last. */
function sortedBy(groups: Group[], { sortBy = 'id', sortOrder = 'ascending' }: Query): Group[] {
  const textOf = TEXTS.get(bare(sortBy));
  if (textOf === undefined) throw new ScimError(400, `This service cannot sort groups by ${sortBy}`, 'invalidPath');
  const [, direction] = /^(asc|desc)ending$/i.exec(sortOrder) ?? [];
  if (direction === undefined) throw new ScimError(400, 'sortOrder is ascending or descending', 'invalidValue');
  const sign = /^asc/i.test(direction) ? 1 : -1;
  const keyOf = (group: Group) => `${textOf(group) ?? '\uffff'}\0${group.id}`;
  const keyed = groups.map((group) => [keyOf(group), group] as const);
  return keyed.sort(([a], [b]) => sign * (a < b ? -1 : 1)).map(([, group]) => group);
}

/** A cursor is the id of the last group that was seen: no write of others shifts a page. */
function byCursor(sorted: Group[], cursor: string, query: Query): Page<Group> {
  if (query.sortBy || !/^(?:>|$)/.test(cursor))
    throw new ScimError(
      400,
      'Groups have pages by cursor without an order, from a cursor of this list on',
      'invalidCursor',
    );
  const left = sorted.filter(({ id }) => id > cursor.slice(1));
  const resources = left.slice(0, countOf(query));
  const nextCursor = left.length > resources.length ? `>${resources.at(-1)?.id ?? cursor.slice(1)}` : undefined;
  return { total: sorted.length, resources, nextCursor };
}

/** A page of groups, by id if no order is asked for. */
export function pageOf(groups: Group[], query: Query): Page<Group> {
  const sorted = sortedBy(groups, query);
  return query.cursor === undefined ? windowOf(sorted, query) : byCursor(sorted, query.cursor, query);
}
