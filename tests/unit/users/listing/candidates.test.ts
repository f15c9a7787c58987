import { describe, expect, test } from 'vitest';
import type { Filters } from '../../../../lib/users/filters.ts';
import { candidatesOf, spansOfNumbers } from '../../../../lib/users/listing/candidates.ts';
import {
  type Criteria,
  criteriaOf,
  matcherOf,
  withIdsAfter,
  withText,
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
  candidatesOf(criteria).map(({ index, spans, fit, isById }) =>
    [`${index.name}${spans.length > 1 ? ` × ${spans.length}` : ''}`, fit, ...(isById ? ['by id'] : [])].join(', '),
  );

describe('the lists that have all matching users', () => {
  test.each<[string, Criteria, string[]]>([
    [
      'the lists of all users if there is no filter',
      criteriaOf({}),
      ['byId, exact, by id', 'byName, exact', 'byEmail, exact', 'byAge, exact', 'byFirstName, exact'],
    ],
    [
      'the lists of a country if a country is asked for',
      criteriaOf({ country: 'DE' }),
      ['byCountry, exact, by id', 'byCountryAndName, exact', 'byCountryAndEmail, exact', 'byCountryAndAge, exact'],
    ],
    [
      'the users of a status, and lists whose segments count them',
      criteriaOf({ status: 'on' }),
      ['byStatus, exact, by id', 'byId, counted, by id', 'byName, counted', 'byEmail, counted', 'byAge, counted'],
    ],
    [
      'the users of a country who have a status if both are asked for',
      criteriaOf({ status: 'on', country: 'DE' }),
      ['byCountryAndStatus, exact, by id', 'byStatus, wider, by id', 'byCountry, counted, by id'],
    ],
    [
      'a span for each combination of several values',
      criteriaOf({ status: ['on', 'off'], country: ['DE', 'FR'] }),
      ['byCountryAndStatus × 4, exact, by id'],
    ],
    ['never exact if there is a keyword', criteriaOf({ country: 'DE' }, 'ab'), ['byCountry, wider, by id']],
  ])('are %s', (_, criteria, lists) => {
    expect(told(criteria).slice(0, lists.length)).toEqual(lists);
  });

  test('are narrowed to higher ids where they are in the order of ids', () => {
    const [first] = candidatesOf(withIdsAfter(criteriaOf({ status: 'on' }), ID));
    expect(first).toMatchObject({ fit: 'exact', spans: [{ from: 'on\0on\0' + '0700000000000008' }] });
  });

  test('have each number of a range within a time, if these are few', () => {
    const spansOf = (filters: Filters) => {
      const criteria = criteriaOf({ 'createdAt.gte': 1_577_836_800_001, country: 'DE', ...filters });
      return spansOfNumbers(criteria, candidatesOf(criteria)).map(({ list, from, to }) => [list.index.name, from, to]);
    };
    const spanOf = (age: string) => ['byCountryAndAge', `${age}\0${'4096'.padStart(16, '0')}`, `${age}\u0001`];
    expect(spansOf({ 'age.gte': 30, 'age.lt': 32 })).toEqual(['30', '31'].map((age) => spanOf(age.padStart(16, '0'))));
    expect(spansOf({ 'age.lt': 100 })).toHaveLength(100);
    for (const many of [{ 'age.lt': 101 }, { 'age.gte': 30 }, { 'age.missing': false }])
      expect(spansOf(many)).toEqual([]);
  });
});
