/** Lists of groups: all are read, and what is asked for is found among them. */
import { type Page, ScimError } from './answers.ts';
import type { Query } from './asked.ts';
import { folded } from './fields.ts';
import { type Filter, invalidFilter, parseFilter, type Test } from './filter.ts';
import { bare } from './groupBody.ts';
import { countOf, windowOf } from './lists.ts';
import { digestOf, type Group } from './table.ts';

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

type TextOf = (group: Group) => string | undefined;

/** The attributes of a group that are compared, by path. Moments are as long as each other, and in UTC. */
const VALUES = new Map<string, TextOf>([
  ['id', ({ id }) => id],
  ['externalid', ({ externalId }) => externalId],
  ['displayname', ({ displayName }) => folded(displayName)],
  ['meta.created', ({ createdAt }) => createdAt],
  ['meta.lastmodified', ({ updatedAt }) => updatedAt],
  ['meta.resourcetype', () => 'Group'],
]);

const COMPARISONS: Record<string, (a: string, b: string) => boolean> = {
  eq: (a, b) => a === b,
  co: (a, b) => a.includes(b),
  sw: (a, b) => a.startsWith(b),
  ew: (a, b) => a.endsWith(b),
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
};

const MEMBERS = /^members(?:\.value)?$/;

/** A comparison with another path: of a value in brackets with the path before them. */
const under = (path: string, filter: Filter): Filter => {
  if (filter.is === 'some') throw invalidFilter('Brackets in brackets are not supported');
  if (filter.is === 'test') return { ...filter, path: `${path}.${filter.path}` };
  // Two values of one member are never both meant.
  if (filter.is === 'and') throw invalidFilter(`This service does not support "and" in the brackets of ${path}`);
  return { is: 'or', of: [under(path, filter.of[0]), under(path, filter.of[1])] };
};

const withoutBrackets = (filter: Filter): Filter => {
  if (filter.is === 'test') return filter;
  if (filter.is === 'some') return under(filter.path, filter.of);
  return { is: filter.is, of: [withoutBrackets(filter.of[0]), withoutBrackets(filter.of[1])] };
};

function operandOf(path: string, { op, value }: Test): string {
  const cannot = invalidFilter(`This service does not support "${path} ${op}" with this value`);
  if (typeof value !== 'string') throw cannot;
  if (!/^meta\.(?:created|lastmodified)$/.test(path)) return path === 'displayname' ? folded(value) : value;
  if (!DATE_TIME.test(value) || /^(?:co|sw|ew)$/.test(op) || Number.isNaN(Date.parse(value))) throw cannot;
  return new Date(value).toISOString();
}

/** @param groupsOf the groups of a user */
function matcherOf(test: Test, groupsOf: (id: string) => string[]): (group: Group) => boolean {
  const path = bare(test.path);
  if (MEMBERS.test(path)) {
    if (test.op !== 'eq') throw invalidFilter('Groups are filtered by members.value eq "…" only');
    return ({ id }) => groupsOf(String(test.value)).includes(id);
  }
  const textOf = VALUES.get(path);
  if (textOf === undefined) throw invalidFilter(`"${test.path}" is no attribute that groups can be filtered by`);
  if (test.op === 'pr' || test.op === 'missing') return (group) => (textOf(group) !== undefined) === (test.op === 'pr');
  const operand = operandOf(path, test);
  const isDenied = test.op === 'ne';
  const compare = COMPARISONS[isDenied ? 'eq' : test.op] ?? (() => false);
  return (group) => {
    const value = textOf(group);
    return (value !== undefined && compare(value, operand)) !== isDenied;
  };
}

const testsIn = (filter: Filter): Test[] => {
  if (filter.is === 'test') return [filter];
  return filter.is === 'some' ? testsIn(filter.of) : filter.of.flatMap(testsIn);
};

export const filterIn = ({ filter }: Query): Filter | undefined =>
  filter === undefined ? undefined : withoutBrackets(parseFilter(filter));

/** The ids of the users whose groups a filter asks for. */
export const membersIn = (filter: Filter | undefined): string[] =>
  (filter ? testsIn(filter) : []).filter(({ path }) => MEMBERS.test(bare(path))).map(({ value }) => String(value));

/** @throws {ScimError} `invalidFilter` for what cannot be asked */
export function meets(filter: Filter, groupsOf: (id: string) => string[]): (group: Group) => boolean {
  if (filter.is === 'test') return matcherOf(filter, groupsOf);
  if (filter.is === 'some') return meets(filter.of, groupsOf);
  const [a, b] = [meets(filter.of[0], groupsOf), meets(filter.of[1], groupsOf)];
  return filter.is === 'and' ? (group) => a(group) && b(group) : (group) => a(group) || b(group);
}

/** The place of a group in an order: groups with the same value by id, and those without one last. */
function placesBy({ sortBy = 'displayName', sortOrder = 'ascending' }: Query) {
  const textOf = VALUES.get(bare(sortBy));
  if (textOf === undefined) throw new ScimError(400, `This service cannot sort groups by ${sortBy}`, 'invalidPath');
  const [, direction] = /^(asc|desc)ending$/i.exec(sortOrder) ?? [];
  if (direction === undefined) throw new ScimError(400, 'sortOrder is ascending or descending', 'invalidValue');
  const sign = direction.toLowerCase() === 'asc' ? 1 : -1;
  const placeOf = (group: Group): string[] => {
    const value = textOf(group);
    return [value === undefined ? '1' : `0${value}`, group.id];
  };
  const compare = (a: string[], b: string[]): number => {
    const at = a.findIndex((text, index) => text !== b[index]);
    return at < 0 ? 0 : sign * ((a[at] ?? '') < (b[at] ?? '') ? -1 : 1);
  };
  return { placeOf, compare };
}

/** A cursor is the place of the last group that was seen: it stays where it is when others write. */
function placeIn(cursor: string, digest: string): string[] | undefined {
  if (cursor === '') return undefined;
  const [given, ...place] = Buffer.from(cursor, 'base64url').toString().split('\0');
  if (given === digest && (place.length === 2 || place.length === 0)) return place;
  throw new ScimError(400, 'The cursor belongs to another filter or order', 'invalidCursor');
}

/** A page of groups, in an order, by the names if none is asked for. */
export function pageOf(groups: Group[], query: Query): Page<Group> {
  const { placeOf, compare } = placesBy(query);
  const sorted = groups.map((group) => ({ group, place: placeOf(group) })).sort((a, b) => compare(a.place, b.place));
  if (query.cursor === undefined)
    return windowOf(
      sorted.map(({ group }) => group),
      query,
    );
  const digest = digestOf([query.filter, query.sortBy, query.sortOrder]);
  const after = placeIn(query.cursor, digest) ?? [];
  const left = after.length === 0 ? sorted : sorted.filter(({ place }) => compare(place, after) > 0);
  const page = left.slice(0, countOf(query));
  const isMore = left.length > page.length;
  const last = page.at(-1)?.place ?? after;
  return {
    total: groups.length,
    resources: page.map(({ group }) => group),
    nextCursor: isMore ? Buffer.from([digest, ...last].join('\0')).toString('base64url') : undefined,
  };
}
