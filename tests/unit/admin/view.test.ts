import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  FILTERS,
  labelOf,
  listQuery,
  PROPERTIES,
  readView,
  SIZES,
  type View,
  withFilterOf,
  writeView,
} from '../../../lib/admin/browser/view.ts';
import { openApiDocument } from '../../../lib/openapi/document.ts';
import { anyText } from '../../support/arbitraries.ts';

const value = fc.string({ minLength: 1, unit: 'grapheme' });

const filters = fc
  .tuple(
    ...FILTERS.map(({ kind }) => fc.option(fc.array(value, { minLength: 1, maxLength: kind === 'values' ? 3 : 1 }))),
  )
  .map((values) =>
    Object.fromEntries(FILTERS.flatMap(({ parameter }, index) => (values[index] ? [[parameter, values[index]]] : []))),
  );

const sorts = fc
  .uniqueArray(fc.constantFrom(...PROPERTIES), { maxLength: 2 })
  .chain((properties) =>
    fc.tuple(...properties.map((property) => fc.boolean().map((isDescending) => ({ property, isDescending })))),
  );

const view: fc.Arbitrary<View> = fc.record({
  filters,
  sorts,
  page: fc.nat(2_147_483_647),
  size: fc.constantFrom(...SIZES),
  user: fc.option(fc.oneof(fc.constant('new'), fc.maxSafeNat().map(String)), { nil: undefined }),
});

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
        const read = readView(`#${text}`);
        expect(readView(writeView(read))).toEqual(read);
      }),
    );
  });

  test.each([
    ['sort=shoeSize', {}],
    ['sort=name&sort=name,desc', { sorts: [{ property: 'name', isDescending: false }] }],
    ['page=-1', {}],
    ['page=99999999999', {}],
    ['size=21', {}],
    ['user=<script>', {}],
    ['keyword=', {}],
    ['keyword=a&keyword=b', { filters: { keyword: ['a'] } }],
    ['status=a&status=b', { filters: { status: ['a', 'b'] } }],
    ['toString=1&__proto__=2', {}],
  ])('leaves out what it does not know: %s', (hash, expected) => {
    expect(readView(`#${hash}`)).toEqual({ filters: {}, sorts: [], page: 0, size: 20, user: undefined, ...expected });
  });

  test('has only parameters of the API, and every filter that the page needs', () => {
    const document = openApiDocument({ server: '/', isProtected: false }) as unknown as {
      components: { parameters: Record<string, { name: string; in: string }> };
      paths: { '/api/users': { get: { parameters: { $ref: string }[] } } };
    };
    const { parameters } = document.paths['/api/users'].get;
    const known = parameters.map(({ $ref }) => document.components.parameters[$ref.split('/').at(-1) ?? '']?.name);
    const asked = FILTERS.map(({ parameter }) => parameter);
    expect(known).toEqual(expect.arrayContaining([...asked, 'page', 'size', 'sort']));
    // The page needs neither a whole e-mail address nor both kinds of each bound.
    const left = ['email', 'age.gt', 'age.lt', 'createdAt.gt', 'createdAt.lte', 'cursor', 'page', 'size', 'sort'];
    expect(known.filter((name) => !asked.includes(name ?? '') && name !== 'If-None-Match').toSorted()).toEqual(
      left.toSorted(),
    );
  });
});

describe('a filter', () => {
  const start = readView('#status=a&page=7&sort=age,desc&user=5');

  test('that changes leads to the first page, and leaves everything else as it is', () => {
    expect(writeView(withFilterOf(start, 'country', ['DE', 'FR']))).toBe(
      '#status=a&country=DE&country=FR&sort=age%2Cdesc&user=5',
    );
  });

  test('disappears with its last value', () => {
    expect(withFilterOf(start, 'status', []).filters).toEqual({});
  });
});

test('a field has a label in words, and its own name in a query', () => {
  expect(PROPERTIES.map(labelOf)).toEqual([
    ...['Name', 'Email', 'Age', 'First name', 'Last name', 'Created at', 'Status', 'Country', 'ID'],
  ]);
  expect(listQuery(readView('#sort=name&sort=age,desc'))).toEqual({ sort: ['name', 'age,desc'] });
});
