import { describe, expect, test } from 'vitest';
import type { SortProperty } from '../../../../lib/users/fields.ts';
import { USERS_INDEXES } from '../../../../lib/users/indexes.ts';
import {
  type Criteria,
  candidatesOf,
  criteriaOf,
  matcherOf,
  orderWithin,
  otherValues,
  singleValues,
  textOf,
  withText,
  withValues,
} from '../../../../lib/users/listing/criteria.ts';
import type { User } from '../../../../lib/users/user.ts';

const ID = 700_000_000_000_007;
const ANN: User = {
  id: ID,
  version: 1,
  name: 'Ann',
  lastName: 'Österberg',
  email: 'Ann@B.de',
  status: 'On',
  country: 'DE',
  age: 7,
};

describe('whether a user matches', () => {
  test.each<[string, Criteria, boolean]>([
    ['no filter', criteriaOf({}), true],
    ['a status in the same case', criteriaOf({ status: 'On' }), true],
    ['a status in another case', criteriaOf({ status: 'on' }), false],
    ['one of several statuses', withValues(criteriaOf({}), 'status', ['on', 'On']), true],
    ['none of several statuses', withValues(criteriaOf({}), 'status', ['on', 'off']), false],
    ['an e-mail in another case', criteriaOf({ email: 'ANN@b.DE' }), true],
    ['the beginning of an e-mail', criteriaOf({ email: 'ann@b.d' }), false],
    ['a keyword in another case', criteriaOf({}, 'STERB'), true],
    ['a keyword that is nowhere', criteriaOf({}, 'ann'), false],
    ['ids after her own', criteriaOf({}, undefined, ID), false],
    ['ids from her own on', criteriaOf({}, undefined, ID - 1), true],
    ['a sort text', withText(criteriaOf({}), 'lastName', 'österberg'), true],
    ['the beginning of a sort text', withText(criteriaOf({}), 'lastName', 'österber'), false],
    ['the sort text of a status', withText(criteriaOf({}), 'status', 'on'), true],
    ['another moment', withText(criteriaOf({}), 'createdAt', '2025-06-02T05:29:31.254Z'), false],
  ])('is known for %s', (_, criteria, isMatch) => {
    expect(matcherOf(criteria)(ANN)).toBe(isMatch);
  });

  test('is known for the millisecond of her creation', () => {
    const time = new Date(1_577_836_800_000 + Math.floor(ID / 4_096)).toISOString();
    expect(matcherOf(withText(criteriaOf({}), 'createdAt', time))(ANN)).toBe(true);
  });
});

const told = (criteria: Criteria) =>
  candidatesOf(criteria).map(({ index, spans, isExact, isById }) =>
    [`${index.name}${spans.length > 1 ? ` × ${spans.length}` : ''}`, isExact && 'exact', isById && 'by id']
      .filter(Boolean)
      .join(', '),
  );

describe('the lists that have all matching users', () => {
  test('are the lists of all users if there is no filter', () => {
    expect(told(criteriaOf({}))).toEqual([
      'byId, exact, by id',
      'byName, exact',
      'byEmail, exact',
      'byAge, exact',
      'byFirstName, exact',
      'byLastName, exact',
      'byStatus, exact',
      'byCountry, exact',
    ]);
  });

  test('begin with the lists of a country if a country is asked for', () => {
    expect(told(criteriaOf({ country: 'DE' })).slice(0, 8)).toEqual([
      'byCountry, exact, by id',
      'byCountryAndName, exact',
      'byCountryAndEmail, exact',
      'byCountryAndAge, exact',
      'byCountryAndFirstName, exact',
      'byCountryAndLastName, exact',
      'byCountryAndStatus, exact',
      'byId, by id',
    ]);
  });

  test('begin with the users of a country who have a status if both are asked for', () => {
    expect(told(criteriaOf({ status: 'on', country: 'DE' }))[0]).toBe('byCountryAndStatus, exact, by id');
  });

  test('have a span for each combination of several values', () => {
    const both = withValues(withValues(criteriaOf({}), 'status', ['on', 'off']), 'country', ['DE', 'FR']);
    expect(told(both)[0]).toBe('byCountryAndStatus × 4, exact, by id');
  });

  test('are narrowed to higher ids where they are in the order of ids', () => {
    const [first] = candidatesOf(criteriaOf({ status: 'on' }, undefined, ID));
    expect(first?.spans[0]?.from).toBe('on\0\0' + '0700000000000008');
    expect(first?.whole[0]?.from).toBe('on\0\0');
    expect(first?.isExact).toBe(true);
  });

  test('are not in the order of ids for a sort text that several statuses can have', () => {
    const folded = candidatesOf(withText(criteriaOf({}), 'status', 'on')).find(
      ({ index }) => index.name === 'byStatus',
    );
    expect([folded?.isExact, folded?.isById]).toEqual([true, false]);
  });

  test('are never exact if there is a keyword', () => {
    expect(candidatesOf(criteriaOf({ country: 'DE' }, 'ab')).some(({ isExact }) => isExact)).toBe(false);
  });
});

test('an order leaves out properties of which the filters allow only one value', () => {
  const order = (['status', 'email', 'lastName', 'id'] as SortProperty[]).map((property) => ({
    property,
    direction: 'asc' as const,
  }));
  const left = (criteria: Criteria) => orderWithin(criteria, order as never).map(({ property }) => property);
  expect(left(criteriaOf({ status: 'on', email: 'a@b.de' }))).toEqual(['lastName', 'id']);
  expect(left(withValues(criteriaOf({}), 'status', ['on', 'ON']))).toEqual(['email', 'lastName', 'id']);
  expect(left(withValues(criteriaOf({}), 'status', ['on', 'off']))).toEqual(['status', 'email', 'lastName', 'id']);
  expect(left(withText(criteriaOf({}), 'lastName', 'b'))).toEqual(['status', 'email', 'id']);
});

test('only the filters that a list does not apply by itself have to be counted in its segments', () => {
  const index = USERS_INDEXES.find(({ name }) => name === 'byCountryAndName');
  expect(index && otherValues(criteriaOf({ status: 'on', country: 'DE' }), index)).toEqual({ status: ['on'] });
});

test('filters with one value per field are known, and filters with several are not', () => {
  expect(singleValues(criteriaOf({ status: 'on' }))).toEqual({ status: 'on' });
  expect(singleValues(withValues(criteriaOf({}), 'status', ['a', 'b']))).toBe(undefined);
});

test('the text of a range is known if all its keys have the same text', () => {
  expect(textOf({ from: 'ann\0', to: 'ann\u0001' })).toBe('ann');
  expect(textOf({ from: 'ann\0', to: 'annb\u0001' })).toBe(undefined);
  expect(textOf({ from: 'ann\0' })).toBe(undefined);
  expect(textOf({})).toBe(undefined);
});
