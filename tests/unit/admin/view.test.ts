import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHANGE_TYPES } from '../../../admin/browser/connection.ts';
import { ENTERED_FILTERS, FILTERS, labelOf, PROPERTIES } from '../../../admin/browser/filters.ts';
import { countryOf } from '../../../admin/browser/time.ts';
import {
  listQuery,
  nextSorts,
  readView,
  SCREENS,
  SIZES,
  type View,
  withFilterOf,
  writeView,
} from '../../../admin/browser/view.ts';
import { FIELDS } from '../../../lib/users/fields.ts';
import { anyText } from '../../support/arbitraries.ts';

const value = fc.string({ minLength: 1, unit: 'grapheme' });

const filters = fc
  .tuple(...FILTERS.map(({ isSeveral }) => fc.option(fc.array(value, { minLength: 1, maxLength: isSeveral ? 3 : 1 }))))
  .map((values) =>
    Object.fromEntries(FILTERS.flatMap(({ parameter }, index) => (values[index] ? [[parameter, values[index]]] : []))),
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
  columns: fc.subarray([...PROPERTIES]),
  type: fc.constantFrom(undefined, ...CHANGE_TYPES),
  person: fc.string({ unit: 'grapheme' }),
  about: fc.oneof(fc.constant(''), fc.maxSafeNat().map(String)),
  at: fc.constantFrom(undefined, '2026-11-01', '2026-11-01T09:30:00.000Z'),
  page: fc.nat(2_147_483_647),
  size: fc.constantFrom(...SIZES),
  user: fc.option(fc.oneof(fc.constant('new'), fc.maxSafeNat().map(String)), { nil: undefined }),
});

const NOTHING = { show: 'users', filters: {}, sorts: [], columns: [], page: 0, size: 20, person: '', about: '' };

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
    ['sort=shoeSize', { unknown: ['sort=shoeSize'] }],
    ['sort=name&sort=name,desc', { sorts: ['name'] }],
    ['page=99999999999', { unknown: ['page=99999999999'] }],
    ['size=21', { unknown: ['size=21'] }],
    ['user=<script>', { unknown: ['user=<script>'] }],
    ['column=shoeSize&column=name', { columns: ['name'], unknown: ['column=shoeSize'] }],
    [
      'show=changes&type=moved&person=ann&about=x',
      { show: 'changes', person: 'ann', unknown: ['type=moved', 'about=x'] },
    ],
    ['keyword=', {}],
    ['age.gte=1&age.gte=2', { filters: { 'age.gte': ['1'] } }],
    ['status=a&status=b', { filters: { status: ['a', 'b'] } }],
    ['toString=1&__proto__=2&staus=x', { unknown: ['toString', '__proto__', 'staus'] }],
  ])('leaves out what it does not know: %s', (hash, expected) => {
    expect(readView(`#${hash}`)).toEqual({ ...NOTHING, ...expected });
  });
});

test('a filter that changes leads to the first page, and disappears with its last value', () => {
  const start = readView('#status=a&page=7&sort=age,desc&user=5');
  const changed = withFilterOf(start, 'country', ['DE', 'FR']);
  expect(writeView(changed)).toBe('#status=a&country=DE&country=FR&sort=age%2Cdesc&user=5');
  expect(writeView(withFilterOf(changed, 'country', []))).toBe('#status=a&sort=age%2Cdesc&user=5');
});

test('a country has a name if its code is one of today, and no other value has', () => {
  const named = ['DE', 'UK', 'DD', 'ZZ', 'XA', 'de', '', 'Elsewhere'].filter((value) => countryOf(value) !== undefined);
  expect(named).toEqual(['DE']);
});

test('of many filters some are entered', () => {
  const texts = ENTERED_FILTERS.filter(({ kind }) => kind === 'text' || kind === 'values');
  expect(texts.map(({ parameter }) => parameter)).toEqual([
    ...['status', 'country', 'name', 'name.startsWith', 'email', 'email.startsWith'],
    ...[
      'firstName',
      'firstName.startsWith',
      'lastName',
      'lastName.startsWith',
      'externalId',
      'externalId.startsWith',
      'keyword',
    ],
  ]);
  const labels = new Map(FILTERS.map(({ parameter, label }) => [parameter, label]));
  expect(['status.not', 'email.endsWith', 'name.contains', 'q'].map((name) => labels.get(name))).toEqual([
    ...['Status is not', 'Email ends with', 'Name contains', 'Any with these words'],
  ]);
});

test('a number is asked for by two bounds', () => {
  const numbers = Object.entries(FIELDS).flatMap(([field, { kind }]) => (kind === 'number' ? [labelOf(field)] : []));
  const entered = ENTERED_FILTERS.flatMap(({ kind, label }) => (kind === 'number' ? [label] : []));
  expect(entered).toEqual(numbers.flatMap((label) => [`${label} from`, `${label} to`]));
});

test('a field has a label in words, and its own name in a query', () => {
  expect(['name', 'firstName', 'createdAt', 'id'].map(labelOf)).toEqual(['Name', 'First name', 'Created at', 'ID']);
  expect(listQuery(readView('#sort=name&sort=age,desc'))).toEqual({ sort: ['name', 'age,desc'] });
});

test.each([
  ['', 'age', false, 'sort=age'],
  ['sort=age', 'age', false, 'sort=age,desc'],
  ['sort=age,desc', 'age', false, ''],
  ['sort=age&sort=name', 'status', false, 'sort=status'],
  ['sort=age', 'name', true, 'sort=age&sort=name'],
  ['sort=age&sort=name', 'name', true, 'sort=age&sort=name,desc'],
  ['sort=age&sort=name', 'status', true, 'sort=age&sort=status'],
  ['sort=age,desc&sort=name', 'age', true, 'sort=name'],
])('a click on a column changes "%s", %s, with Shift %j, to "%s"', (before, property, isAdded, after) => {
  expect(nextSorts(readView(`#${before}`).sorts, property, isAdded)).toEqual(readView(`#${after}`).sorts);
});
