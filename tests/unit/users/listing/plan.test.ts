import { describe, expect, test } from 'vitest';
import type { SortProperty } from '../../../../lib/users/fields.ts';
import type { Filters } from '../../../../lib/users/filters.ts';
import { type Candidate, candidateInOrder, candidatesOf, criteriaOf } from '../../../../lib/users/listing/criteria.ts';
import {
  choose,
  type Facts,
  type Group,
  groupsWithin,
  type Plan,
  type Sized,
} from '../../../../lib/users/listing/plan.ts';
import { nameOf } from '../../../../lib/users/lists.ts';
import { SIZES } from '../../../../lib/users/sizes.ts';

const EVERYBODY = 100_000;

function inOrderOf(filters: Filters, keyword: string | undefined, property: SortProperty): Candidate {
  const found = candidateInOrder(candidatesOf(criteriaOf(filters, keyword)), property);
  if (!found) throw new Error(`No list in the order of ${property}`);
  return found;
}

interface Counts {
  /** How many users the list in this order has. */
  users: number;
  matching: number;
  skip?: number;
  hasRuns?: boolean;
  isCounted?: boolean;
  /** How many users each of the smallest lists has. */
  smallest?: number[];
  unread?: Facts['unread'];
  names?: number[];
  groups?: number[];
}

const EMAIL = inOrderOf({ email: 'a@b.de' }, undefined, 'email').spans[0] as Sized['span'];
const sized = (users: number): Sized => ({ span: EMAIL, users });

function planFor(filters: Filters, keyword: string | undefined, property: SortProperty, counts: Counts): Plan {
  const candidate = inOrderOf(filters, keyword, property);
  const groups = counts.groups?.map((total): Group => ({ criteria: criteriaOf(filters, keyword), total }));
  const facts: Facts = {
    skip: counts.skip ?? 0,
    take: 20,
    matching: counts.matching,
    hasRuns: counts.hasRuns ?? false,
    inOrder: { candidate, users: counts.users },
    isCounted: counts.isCounted ?? false,
    smallest: counts.smallest?.map(sized),
    unread: counts.unread,
    names: counts.names && { spans: counts.names.map(sized), skip: 3 },
    groups,
  };
  return choose(facts, SIZES.risks);
}

function told(plan: Plan): string {
  if (plan.kind === 'slice') return `slice ${nameOf(plan.span)}${plan.otherwise ? `, or ${told(plan.otherwise)}` : ''}`;
  if (plan.kind === 'walk') return `walk ${nameOf(plan.span)} for ${plan.users}, or ${told(plan.otherwise)}`;
  if (plan.kind === 'groups') return `groups of ${plan.groups.map(({ total }) => total).join(' ')}`;
  if (plan.kind === 'unread') return 'read names';
  return `${plan.kind} ${plan.spans.length}`;
}

type Row = [asked: string, filters: Filters, keyword: string | undefined, SortProperty, Counts, plan: string];

const TABLE: Row[] = [
  ['everybody by name', {}, undefined, 'name', { users: EVERYBODY, matching: EVERYBODY }, 'slice byName'],
  [
    'eight hundred by two properties: a part of the list is read, although runs at its ends may have to be sorted',
    {},
    undefined,
    'name',
    { users: 800, matching: 800, hasRuns: true, smallest: [800] },
    'slice byName',
  ],
  [
    'a hundred by two properties: all of them are read',
    {},
    undefined,
    'name',
    { users: 100, matching: 100, hasRuns: true, smallest: [100] },
    'gather 1',
  ],
  ['everybody by createdAt', {}, undefined, 'createdAt', { users: EVERYBODY, matching: EVERYBODY }, 'slice byId'],
  [
    'a country by e-mail',
    { country: 'DE' },
    undefined,
    'email',
    { users: 900, matching: 900 },
    'slice byCountryAndEmail',
  ],
  ['a status by id', { status: 'on' }, undefined, 'id', { users: 900, matching: 900 }, 'slice part of byStatus'],
  [
    'a status in a country by id',
    { status: 'on', country: 'DE' },
    undefined,
    'id',
    { users: 90, matching: 90 },
    'slice part of byCountryAndStatus',
  ],
  ['an e-mail by id', { email: 'a@b.de' }, undefined, 'id', { users: 2, matching: 2 }, 'slice part of byEmail'],
  [
    'a common status by name: the beginning of the list has enough users with it',
    { status: 'on' },
    undefined,
    'name',
    { users: EVERYBODY, matching: 60_000, isCounted: true, smallest: [60_000] },
    'walk byName for 34, or slice byName, or gather 1',
  ],
  [
    'a deep page of a common status by name: segments tell where it begins',
    { status: 'on' },
    undefined,
    'name',
    { users: EVERYBODY, matching: 60_000, skip: 30_000, isCounted: true, smallest: [60_000] },
    'slice byName, or gather 1',
  ],
  [
    'a rare status by name: all users with it are read',
    { status: 'on' },
    undefined,
    'name',
    { users: EVERYBODY, matching: 150, isCounted: true, smallest: [150] },
    'gather 1',
  ],
  [
    'a keyword that few names contain, by name: all of them are read',
    {},
    'ab',
    'name',
    { users: EVERYBODY, matching: 30, smallest: [10, 10, 10] },
    'gather 3',
  ],
  [
    'a keyword that many names contain, by name: a walk is shorter than a call for each name',
    {},
    'ab',
    'name',
    { users: EVERYBODY, matching: 5_000, smallest: Array.from({ length: 1_000 }, () => 5) },
    'walk byName for 400, or gather 1000',
  ],
  [
    'a deep page of such a keyword: half of the list is read, and not a thousand names',
    {},
    'ab',
    'name',
    { users: EVERYBODY, matching: 5_000, skip: 2_000, smallest: Array.from({ length: 1_000 }, () => 5) },
    'walk byName for 40400, or gather 1000',
  ],
  [
    'a keyword by last name: only the names of the page are read',
    {},
    'ab',
    'lastName',
    {
      users: EVERYBODY,
      matching: 5_000,
      skip: 2_000,
      smallest: Array.from({ length: 1_000 }, () => 5),
      names: [5, 5, 5, 5],
    },
    'names 4',
  ],
  [
    'a keyword by last name, within a very common name: the name is a group',
    {},
    'ab',
    'lastName',
    { users: EVERYBODY, matching: 9_000, skip: 2_000, smallest: [9_000], names: [9_000], groups: [9_000] },
    'groups of 9000',
  ],
  [
    'a letter that most names contain: names are not read',
    {},
    'a',
    'name',
    { users: EVERYBODY, matching: 60_000, unread: { units: 1_400, calls: 20_000 } },
    'walk byName for 34, or read names',
  ],
  [
    'a letter that few names contain: names are read',
    {},
    'a',
    'name',
    { users: EVERYBODY, matching: 8, unread: { units: 1, calls: 4 } },
    'read names',
  ],
  [
    'a keyword by status: each status is a group',
    {},
    'ab',
    'status',
    {
      users: EVERYBODY,
      matching: 40_000,
      skip: 20_000,
      smallest: Array.from({ length: 500 }, () => 80),
      groups: [10_000, 30_000],
    },
    'groups of 10000 30000',
  ],
  [
    'two properties, with the page within one value: each value is a group',
    {},
    undefined,
    'status',
    {
      users: EVERYBODY,
      matching: EVERYBODY,
      skip: 40_000,
      hasRuns: true,
      smallest: [EVERYBODY],
      groups: [60_000, 40_000],
    },
    'groups of 60000 40000',
  ],
  [
    'two properties, with nearly as many values as users: the list is read',
    {},
    undefined,
    'status',
    { users: 60, matching: 60, hasRuns: true, groups: Array.from({ length: 40 }, () => 1) },
    'slice byStatus',
  ],
  [
    'a range in its own order',
    { 'age.gte': 18, 'age.lt': 30 },
    undefined,
    'age',
    { users: 9_000, matching: 9_000 },
    'slice part of byAge',
  ],
  [
    'a prefix in its own order',
    { 'lastName.startsWith': 'ma' },
    undefined,
    'lastName',
    { users: 900, matching: 900 },
    'slice part of byLastName',
  ],
  [
    'a range of moments, by id',
    { 'createdAt.gte': Date.UTC(2026, 0) },
    undefined,
    'id',
    { users: 9_000, matching: 9_000 },
    'slice part of byId',
  ],
  [
    'a range of moments with a status and a country: their list is by id',
    { 'createdAt.gte': Date.UTC(2026, 0), country: 'DE', status: 'on' },
    undefined,
    'createdAt',
    { users: 90, matching: 90 },
    'slice part of byCountryAndStatus',
  ],
  [
    'a range in a country',
    { 'age.gte': 18, country: 'DE' },
    undefined,
    'age',
    { users: 900, matching: 900 },
    'slice part of byCountryAndAge',
  ],
  [
    'a range of few users, in another order: all of them are read',
    { 'age.gte': 99 },
    undefined,
    'name',
    { users: EVERYBODY, matching: 800, smallest: [800] },
    'gather 1',
  ],
  [
    'half of all users, in another order: the beginning of the list has enough of them',
    { 'age.gte': 40 },
    undefined,
    'name',
    { users: EVERYBODY, matching: 50_000, smallest: [50_000] },
    'walk byName for 40, or gather 1',
  ],
  [
    'a deep page of half of all users, in another order: the range is read',
    { 'age.gte': 40 },
    undefined,
    'name',
    { users: EVERYBODY, matching: 50_000, skip: 25_000, smallest: [50_000] },
    'gather 1',
  ],
  [
    'a deep page of a range and a status: segments count the status',
    { 'age.gte': 18, 'age.lt': 30, status: 'on' },
    undefined,
    'age',
    { users: 9_000, matching: 4_000, skip: 2_000, isCounted: true, smallest: [9_000] },
    'slice part of byAge, or gather 1',
  ],
  [
    'a deep page of three statuses by id: segments count them',
    { status: ['on', 'off', 'new'] },
    undefined,
    'id',
    { users: EVERYBODY, matching: 60_000, skip: 30_000, isCounted: true, smallest: [20_000, 20_000, 20_000] },
    'slice byId, or gather 3',
  ],
  [
    'three statuses by status: each is a group',
    { status: ['on', 'off', 'new'] },
    undefined,
    'status',
    {
      users: 60_000,
      matching: 60_000,
      skip: 30_000,
      smallest: [20_000, 20_000, 20_000],
      groups: [20_000, 20_000, 20_000],
    },
    'groups of 20000 20000 20000',
  ],
];

describe('the plan for a query and its counts', () => {
  test.each(TABLE)('is right for %s', (_, filters, keyword, property, counts, plan) => {
    expect(told(planFor(filters, keyword, property, counts))).toBe(plan);
  });

  test('has a walk only if it is cheaper by half, because costs are estimates', () => {
    const counts = { users: EVERYBODY, matching: 1_000, smallest: [1_160] };
    expect(told(planFor({}, 'ab', 'name', { ...counts, skip: 0 }))).toBe('gather 1');
    expect(told(planFor({}, 'ab', 'name', { ...counts, smallest: [5_800] }))).toMatch(/^walk byName/);
  });

  test('reads nothing for nobody', () => {
    expect(told(planFor({}, 'ab', 'name', { users: EVERYBODY, matching: 0, smallest: [] }))).toBe('gather 0');
  });
});

describe('the groups of a page', () => {
  const groups = [3, 0, 5, 2].map((total): Group => ({ criteria: criteriaOf({}), total }));

  test.each([
    [0, 2, [[3, 0, 2]]],
    [
      2,
      4,
      [
        [3, 2, 1],
        [5, 0, 3],
      ],
    ],
    [
      3,
      7,
      [
        [5, 0, 5],
        [2, 0, 2],
      ],
    ],
    [9, 5, [[2, 1, 1]]],
    [10, 5, []],
  ])('after %i users, with %i users, are %j', (skip, take, parts) => {
    expect(groupsWithin(groups, skip, take).map((part) => [part.group.total, part.skip, part.take])).toEqual(parts);
  });
});
