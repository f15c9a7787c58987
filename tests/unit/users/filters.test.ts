import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FILTERS, type FilterName, rangeOf } from '../../../lib/users/filters.ts';
import { firstIdAt, MAX_ID } from '../../../lib/users/ids.ts';
import { USERS_INDEXES } from '../../../lib/users/indexes.ts';
import { isWithin, keyIn } from '../../../lib/users/lists.ts';
import type { User } from '../../../lib/users/user.ts';
import { filters as schema } from '../../../schemas/filters.ts';
import { userFields } from '../../support/arbitraries.ts';
import { type ModelQuery, type ModelUser, modelFilter } from '../../support/model.ts';

/** Whether a user is in the range of a filter. */
function has(name: FilterName, value: string | number | boolean, user: User): boolean {
  const filter = FILTERS.get(name);
  if (!filter) throw new Error(`There is no filter ${name}`);
  const order = filter.property === 'createdAt' ? 'id' : filter.property;
  const index = USERS_INDEXES.find((each) => each.order === order);
  if (!index) throw new Error(`There is no index by ${order}`);
  return isWithin(rangeOf(filter, value), keyIn(index, user));
}

const ann = (more: object = {}): User => ({ id: 42, version: 1, name: 'Ann', ...more });

describe('the filters', () => {
  test('are the filters of the schema', () => {
    expect([...FILTERS.keys(), 'keyword'].toSorted()).toEqual(Object.keys(schema.properties).toSorted());
  });
});

describe('bounds of a number', () => {
  test.each<[FilterName, value: number, ages: number[]]>([
    ['age', 10, [10]],
    ['age', -1, []],
    ['age', MAX_ID, [MAX_ID]],
    ['age', Number.POSITIVE_INFINITY, []],
    ['age.gte', 10, [10, 11, MAX_ID]],
    ['age.gt', 10, [11, MAX_ID]],
    ['age.lte', 10, [0, 9, 10]],
    ['age.lt', 10, [0, 9]],
    ['age.gte', -1, [0, 9, 10, 11, MAX_ID]],
    ['age.lte', -1, []],
    ['age.gte', MAX_ID, [MAX_ID]],
    ['age.gt', MAX_ID, []],
    ['age.lte', MAX_ID, [0, 9, 10, 11, MAX_ID]],
    ['age.gte', Number.POSITIVE_INFINITY, []],
    ['age.lt', Number.POSITIVE_INFINITY, [0, 9, 10, 11, MAX_ID]],
  ])('such as %s %d have the ages %j', (name, value, ages) => {
    expect([0, 9, 10, 11, MAX_ID].filter((age) => has(name, value, ann({ age })))).toEqual(ages);
    expect(has(name, value, ann())).toBe(false);
  });
});

test.each<[FilterName, user: object]>([
  ['email.missing', { email: '\u{10FFFF}@x.org' }],
  ['age.missing', { age: 0 }],
  ['status.missing', { status: '\u{10FFFF}' }],
  ['lastName.missing', { lastName: '' }],
])('%s has the users without a value, or with one', (name, fields) => {
  expect([true, false].map((value) => [has(name, value, ann()), has(name, value, ann(fields))])).toEqual([
    [true, false],
    [false, true],
  ]);
});

describe('bounds of a moment', () => {
  const moment = Date.UTC(2026, 10, 1);
  const [before, first, last, after] = [-1, 0, 4_095, 4_096].map((step) => ann({ id: firstIdAt(moment) + step }));

  test.each<[FilterName, value: number, expected: boolean[]]>([
    ['createdAt.gte', moment, [false, true, true, true]],
    ['createdAt.gt', moment, [false, false, false, true]],
    ['createdAt.lte', moment, [true, true, true, false]],
    ['createdAt.lt', moment, [true, false, false, false]],
    ['createdAt.gte', moment + 0.5, [false, false, false, true]],
    ['createdAt.gt', moment + 0.5, [false, false, false, true]],
    ['createdAt.lte', moment + 0.5, [true, true, true, false]],
    ['createdAt.lt', moment + 0.5, [true, true, true, false]],
    ['createdAt.lt', Date.UTC(1066, 0), [false, false, false, false]],
    ['createdAt.gte', Date.UTC(1066, 0), [true, true, true, true]],
    ['createdAt.gte', Date.UTC(9999, 0), [false, false, false, false]],
    ['createdAt.lt', Date.UTC(9999, 0), [true, true, true, true]],
  ])(
    'such as %s %d have the last id before it, its first and last id, and the next id: %j',
    (name, value, expected) => {
      expect([before, first, last, after].map((user) => has(name, value, user as User))).toEqual(expected);
    },
  );
});

describe('a prefix', () => {
  test.each<[prefix: string, names: string[], others: string[]]>([
    ['ann', ['Ann', 'ANNA', 'ann lee'], ['An', 'xann', 'Bob']],
    ['\u0130', ['\u0130stanbul', 'Istanbul', 'istanbul', '\u0131x'], ['\u00ef']],
    ['stras', ['Stra\u00dfe', 'STRA\u1e9eE'], ['Strahl']],
    ['\u00e9', ['\u00c9va', 'e\u0301va'], ['Eva']],
    ['\u{10FFFF}', ['\u{10FFFF}', '\u{10FFFF}a'], ['a', '\u{10FFFE}']],
    ['\uD7FF', ['\uD7FFa'], ['\uE000', '\uD7FE']],
    ['a\u{10FFFF}', ['A\u{10FFFF}', 'a\u{10FFFF}b'], ['a', 'b']],
    ['x'.repeat(200), ['X'.repeat(200)], ['x'.repeat(199)]],
    ['\u1f82'.repeat(200), ['\u1f82'.repeat(200)], ['\u1f82'.repeat(199)]],
  ])('%j has the names %j and not %j', (prefix, names, others) => {
    const found = [...names, ...others].filter((lastName) => has('lastName.startsWith', prefix, ann({ lastName })));
    expect(found).toEqual(names);
    expect(has('lastName.startsWith', prefix, ann())).toBe(false);
  });

  test('has the users that a comparison of folded texts finds', () => {
    const prefixes = fc.tuple(userFields, userFields, fc.nat({ max: 4 }));
    fc.assert(
      fc.property(prefixes, ([fields, other, length]) => {
        const prefix = Array.from(other.name)
          .slice(0, length + 1)
          .join('');
        const user = ann(fields);
        const asked: Partial<ModelQuery> = { 'name.startsWith': prefix };
        expect(has('name.startsWith', prefix, user)).toBe(
          modelFilter([user as unknown as ModelUser], asked).length === 1,
        );
      }),
      { numRuns: 1_000 },
    );
  });
});
