import { describe, expect, test } from 'vitest';
import {
  type Criteria,
  candidatesOf,
  criteriaOf,
  matcherOf,
  withText,
  withValues,
} from '../../../../lib/users/listing/criteria.ts';
import type { User } from '../../../../lib/users/user.ts';

const ID = 700_000_000_000_007;
const ANN: User = { id: ID, version: 1, name: 'Ann' };
const CREATED_AT = new Date(1_577_836_800_000 + Math.floor(ID / 4_096)).toISOString();

test('a user matches the millisecond of her creation, and no other moment', () => {
  const isOf = (time: string) => matcherOf(withText(criteriaOf({}), 'createdAt', time))(ANN);
  expect([CREATED_AT, '2025-06-02T05:29:31.254Z'].map(isOf)).toEqual([true, false]);
});

const told = (criteria: Criteria) =>
  candidatesOf(criteria).map(({ index, spans, isExact, isById }) =>
    [`${index.name}${spans.length > 1 ? ` × ${spans.length}` : ''}`, isExact && 'exact', isById && 'by id']
      .filter(Boolean)
      .join(', '),
  );

describe('the lists that have all matching users', () => {
  test('are the lists of all users if there is no filter', () => {
    expect(told(criteriaOf({})).slice(0, 8)).toEqual([
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
    expect(told(criteriaOf({ country: 'DE' })).slice(0, 7)).toEqual([
      'byCountry, exact, by id',
      'byCountryAndName, exact',
      'byCountryAndEmail, exact',
      'byCountryAndAge, exact',
      'byCountryAndFirstName, exact',
      'byCountryAndLastName, exact',
      'byCountryAndStatus, exact',
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
    expect(first?.spans[0]?.from).toBe('on\0on\0' + '0700000000000008');
    expect(first?.whole[0]?.from).toBe('on\0on\0');
    expect(first?.isExact).toBe(true);
  });

  test('are never exact if there is a keyword', () => {
    expect(candidatesOf(criteriaOf({ country: 'DE' }, 'ab')).some(({ isExact }) => isExact)).toBe(false);
  });
});
