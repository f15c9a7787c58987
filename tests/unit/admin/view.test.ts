import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  asksOf,
  filterText,
  labelOf,
  namedFilters,
  PROPERTIES,
  parameterOf,
  ruleOf,
  withValue,
} from '../../../admin/browser/data/filters.ts';
import { countryOf } from '../../../admin/browser/data/time.ts';
import {
  columnsOf,
  listOf,
  listQuery,
  nextSort,
  readView,
  type View,
  writeView,
} from '../../../admin/browser/data/view.ts';
import { FILTERS, isSeveral } from '../../../lib/users/filters.ts';
import { anyText } from '../../support/arbitraries.ts';
import { read } from '../../support/files.ts';

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

const text = fc.string({ unit: 'grapheme' });

const view: fc.Arbitrary<View> = fc.record({
  show: fc.constantFrom('overview', 'users', 'changes'),
  filters,
  sort: sorts,
  column: fc.subarray([...PROPERTIES, 'attributes.constructor']),
  ...{
    page: text,
    size: text,
    type: text,
    person: text,
    about: text,
    from: text,
    to: text,
    per: text,
    user: text,
    at: text,
  },
});

const NOTHING = {
  ...{ show: 'users', filters: {}, sort: [], column: [], page: '', size: '', type: '', person: '', about: '' },
  ...{ user: '', at: '', from: '', to: '', per: '' },
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
        const view = readView(`#${text}`);
        expect(readView(writeView(view))).toEqual(view);
      }),
    );
  });

  test.each([
    ['sort=shoeSize', { sort: ['shoeSize'] }],
    ['page=99999999999', { page: '99999999999' }],
    ['column=age&column=age', { column: ['age'] }],
    ['show=changes&type=moved', { show: 'changes', type: 'moved' }],
    ['show=user', { filters: { show: ['user'] } }],
    ['keyword=', {}],
    ['age.gte=1&age.gte=2', { filters: { 'age.gte': ['1', '2'] } }],
    ['status=a&status=b', { filters: { status: ['a', 'b'] } }],
    ['staus=x&attributes.team.not=y', { filters: { staus: ['x'], 'attributes.team.not': ['y'] } }],
  ])('leaves to the service what is not understood: %s', (hash, expected) => {
    expect(readView(`#${hash}`)).toEqual({ ...NOTHING, ...expected });
  });

  test('takes names that every object has for filters', () => {
    expect(Object.entries(readView('#toString=1&constructor=2').filters)).toEqual([
      ['toString', ['1']],
      ['constructor', ['2']],
    ]);
  });

  test('takes for no filter which the service ignores, or answers otherwise: it would narrow nothing', () => {
    const [, ignored = ''] = /IGNORED = \/(.*)\/;/.exec(read('lib/rest/knownParameters.ts')) ?? [];
    const names = ['__proto__', '_', 'utm_source', 'utm', 'gclid', 'agclid', 'fbclid', 'fbclids', 'status'];
    const filters = names.filter((name) => !new RegExp(ignored).test(name));
    expect(filters).toEqual(['utm', 'agclid', 'fbclids', 'status']);
    const hash = [...names, 'fields', 'after', 'cursor'].map((name) => `${name}=1`).join('&');
    expect(Object.keys(readView(`#${hash}`).filters)).toEqual(filters);
  });
});

test('a filter that changes leads to the first page, and disappears with its last value', () => {
  const start = readView('#status=a&page=7&sort=age,desc&user=5');
  const written = (filters: View['filters']) => writeView({ ...start, ...listOf(filters) });
  const changed = withValue({ ...start.filters, country: ['DE'] }, 'country', 'FR');
  expect(written(changed)).toBe('#status=a&country=DE&country=FR&sort=age%2Cdesc&user=5');
  expect(namedFilters(changed).map(({ others }) => written(others))).toEqual([
    '#country=DE&country=FR&sort=age%2Cdesc&user=5',
    '#status=a&country=FR&sort=age%2Cdesc&user=5',
    '#status=a&country=DE&sort=age%2Cdesc&user=5',
  ]);
  expect(withValue({ 'age.gt': ['1'] }, 'age.gt', '2')).toEqual({ 'age.gt': ['2'] });
});

test('the words of the box are named before the other filters', () => {
  const named = namedFilters({ status: ['new', 'old'], q: ['ski'], country: [] });
  expect(named.map(({ text }) => text)).toEqual(['“ski”', 'Status new', 'Status old']);
});

test('more than four values of a filter are named together, and go together', () => {
  const filters = { 'email.not': ['1', '2', '3', '4', '5'], status: ['1', '2', '3', '4'] };
  const named = namedFilters(filters);
  expect(named.map(({ text }) => text)).toEqual([
    ...['E-mail not one of 5', 'Status 1', 'Status 2', 'Status 3', 'Status 4'],
  ]);
  expect(named[0]?.others).toEqual({ 'email.not': [], status: filters.status });
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
  ['age.gt', '60', 'Age above 60'],
  ['age.gte', '60', 'Age at least 60'],
  ['email.missing', 'true', 'Without E-mail'],
  ['attributes.team.missing', 'false', 'With team'],
  ['createdAt.gte', '-P7D', 'Created from 7 days ago'],
  ['createdAt.gte', '-P1D', 'Created from 1 day ago'],
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
  expect(nextSort(readView(`#${before}`).sort, property)).toEqual(readView(`#${after}`).sort);
});
