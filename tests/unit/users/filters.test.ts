import { describe, expect, test } from 'vitest';
import { FILTERS, type FilterName, rangeOf } from '../../../lib/users/filters.ts';
import { firstIdAt } from '../../../lib/users/ids.ts';
import { isWithin, keyIn } from '../../../lib/users/lists.ts';
import type { User } from '../../../lib/users/user.ts';
import { listBy } from '../../support/listBy.ts';

// All other ranges are asked for at random, in tests/property/listing.test.ts.
describe('bounds of a moment between two milliseconds, or far away', () => {
  const moment = Date.UTC(2026, 10, 1);
  const users = [-1, 0, 4_095, 4_096].map((step): User => ({ id: firstIdAt(moment) + step, version: 1, name: 'Ann' }));

  test.each<[FilterName, value: number, expected: boolean[]]>([
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
      const filter = FILTERS.get(name);
      expect(users.map((user) => filter && isWithin(rangeOf(filter, value), keyIn(listBy('id').index, user)))).toEqual(
        expected,
      );
    },
  );
});
