import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHANGE_TYPES } from '../../../admin/browser/connection.ts';
import { asksOf, filterText, labelOf, PROPERTIES, parameterOf, ruleOf } from '../../../admin/browser/filters.ts';
import { countryOf } from '../../../admin/browser/time.ts';
import {
  columnsOf,
  listQuery,
  nextSorts,
  readView,
  SCREENS,
  SIZES,
  type View,
  withFilterOf,
  withoutValue,
  withValue,
  writeView,
} from '../../../admin/browser/view.ts';
import { FILTERS, isSeveral } from '../../../lib/users/filters.ts';
import { anyText } from '../../support/arbitraries.ts';

const value = fc.string({ minLength: 1, unit: 'grapheme' });

const filters = fc
  .tuple(
    ...[...FILTERS.values()].map((rule) =>
      fc.option(fc.array(value, { minLength: 1, maxLength: isSeveral(rule) ? 3 : 1 })),
    ),
  )
  .map((values) =>
    Object.fromEntries([...FILTERS.keys()].flatMap((name, index) => (values[index] ? [[name, values[index]]] : []))),
  );

const sorts = fc
  .uniqueArray(fc.constantFrom(...PROPERTIES), { maxLength: 2 })
  .chain((properties) =>
    fc.tuple(...properties.map((property) => fc.constantFrom(property, `${property},asc`, `${property},desc`))),
  );

const view: fc.Arbitrary<View> = fc.record({
  show: fc.constantFrom(...SCREENS),
  filters,
  sorts,
  columns: fc.subarray([...PROPERTIES, 'attributes.constructor']),
  type: fc.constantFrom(undefined, ...CHANGE_TYPES),
  person: fc.string({ unit: 'grapheme' }),
  about: fc.oneof(fc.constant(''), fc.maxSafeNat().map(String)),
  day: fc.constantFrom('', '2026-11-01'),
  at: fc.constantFrom(undefined, '2026-11-01', '2026-11-01T09:30:00.000Z'),
  page: fc.nat(2_147_483_647),
  size: fc.constantFrom(...SIZES),
  user: fc.option(fc.oneof(fc.constant('new'), fc.maxSafeNat().map(String)), { nil: undefined }),
});

const NOTHING = {
  ...{ show: 'users', filters: {}, sorts: [], columns: [], page: 0, size: 20, person: '', about: '', day: '' },
};

describe('the view in the address bar', () => {
  test('is read as it was written', () => {
    fc.assert(
      fc.property(view, (some) => {
        expect(readView(writeView(some))).toEqual(some);
      }),
    );
  });

  test('is valid for any text', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const { unknown: _, ...read } = readView(`#${text}`);
        expect(readView(writeView(read))).toEqual(read);
      }),
    );
  });

  test.each([
    ['sort=shoeSize', { sorts: ['shoeSize'] }],
    ['page=99999999999', { unknown: ['page=99999999999'] }],
    ['size=21', { unknown: ['size=21'] }],
    ['user=<script>&at=now', { unknown: ['user=<script>', 'at=now'] }],
    ['column=age&column=age', { columns: ['age'] }],
    [
      'show=changes&type=moved&person=ann&about=x&day=2026-13-01',
      { show: 'changes', person: 'ann', unknown: ['type=moved', 'about=x', 'day=2026-13-01'] },
    ],
    ['keyword=', {}],
    ['age.gte=1&age.gte=2', { filters: { 'age.gte': ['1'] } }],
    ['status=a&status=b', { filters: { status: ['a', 'b'] } }],
    ['staus=x&attributes.team.not=y', { filters: { staus: ['x'], 'attributes.team.not': ['y'] } }],
  ])(
    'leaves filters and orders to the service, and says of its own parameters what means nothing: %s',
    (hash, expected) => {
      expect(readView(`#${hash}`)).toEqual({ ...NOTHING, ...expected });
    },
  );

  test('takes names that every object has for filters', () => {
    const { filters: read } = readView('#toString=1&__proto__=2');
    expect(Object.entries(read)).toEqual([
      ['toString', ['1']],
      ['__proto__', ['2']],
    ]);
  });
});

test('a filter that changes leads to the first page, and disappears with its last value', () => {
  const start = readView('#status=a&page=7&sort=age,desc&user=5');
  const changed = withValue(withFilterOf(start, 'country', ['DE']), 'country', 'FR');
  expect(writeView(changed)).toBe('#status=a&country=DE&country=FR&sort=age%2Cdesc&user=5');
  expect(writeView(withFilterOf(changed, 'country', []))).toBe('#status=a&sort=age%2Cdesc&user=5');
  expect(writeView(withoutValue(changed, 'country', 'DE'))).toBe('#status=a&country=FR&sort=age%2Cdesc&user=5');
  expect(withValue(withValue(start, 'age.gt', '1'), 'age.gt', '2').filters).toEqual({ status: ['a'], 'age.gt': ['2'] });
});

test('a country has a name if its code is one of today, and no other value has', () => {
  const named = ['DE', 'UK', 'DD', 'ZZ', 'XA', 'de', '', 'Elsewhere'].filter((value) => countryOf(value) !== undefined);
  expect(named).toEqual(['DE']);
});

test('every filter of the API but keyword and q can be had by its property and what it asks', () => {
  const had = PROPERTIES.flatMap((property) => asksOf(property).map((asks) => parameterOf(property, asks)));
  expect(had.toSorted()).toEqual([...FILTERS.keys()].filter((name) => name !== 'keyword' && name !== 'q').toSorted());
  for (const [name, rule] of FILTERS) expect(ruleOf(name)).toEqual(rule);
  expect(ruleOf('attributes.not.gte')).toEqual({ property: 'attributes.not', asks: 'gte' });
  expect(['email', 'status', 'age', 'createdAt'].map((property) => asksOf(property)[0])).toEqual([
    ...['contains', 'is', 'gt', 'gte'],
  ]);
});

test.each([
  ['status', 'active', 'Status active'],
  ['country.not', 'DE', 'Country not Germany'],
  ['age.gt', '60', 'Older than 60'],
  ['age.gte', '60', 'Age at least 60'],
  ['email.missing', 'true', 'Without e-mail'],
  ['attributes.team.missing', 'false', 'With team'],
  ['createdAt.gte', '-P7D', 'Created from 7 days ago'],
  ['createdAt.lt', 'soon', 'Created before soon'],
  ['keyword', 'ski', 'Last name contains ski'],
])('the filter %s=%s is called "%s"', (parameter, text, words) => {
  expect(filterText(parameter, text)).toBe(words);
});

test('a field has a label in words, and its own name in a query', () => {
  expect(['name', 'firstName', 'createdAt', 'id', 'attributes.firstName'].map(labelOf)).toEqual([
    ...['Name', 'First name', 'Created', 'ID', 'firstName'],
  ]);
  expect(listQuery(readView('#sort=name&sort=age,desc'))).toEqual({ sort: ['name', 'age,desc'] });
  expect(listQuery(readView('#status=a'))).toEqual({ status: ['a'], sort: ['createdAt,desc'] });
});

test('a list has the usual columns and those that it is asked by, or those that were chosen, and always the name', () => {
  const usual = ['name', 'email', 'status', 'country', 'createdAt'];
  expect(columnsOf(readView('#q=x&age.gt=1&attributes.team=a&sort=lastName&status=b&staus=c'))).toEqual([
    ...[...usual, 'age', 'attributes.team', 'lastName'],
  ]);
  expect(columnsOf(readView('#column=age&sort=lastName'))).toEqual(['name', 'age']);
});

test.each([
  ['', 'age', 'sort=age'],
  ['sort=age', 'age', 'sort=age,desc'],
  ['sort=age,asc', 'age', 'sort=age,desc'],
  ['sort=age,desc', 'age', ''],
  ['sort=age&sort=name', 'status', 'sort=status'],
])('a click on a column changes "%s", %s, to "%s"', (before, property, after) => {
  expect(nextSorts(readView(`#${before}`).sorts, property)).toEqual(readView(`#${after}`).sorts);
});
