import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { orderKey } from '../../../lib/users/keys.ts';
import { stretchesOf, ZONED_FIELDS, zoneOf } from '../../../lib/users/statistics/zones.ts';
import { compareCodePoints } from '../../../lib/users/text.ts';
import type { User } from '../../../lib/users/user.ts';
import { userFields } from '../../support/arbitraries.ts';

describe('zones', () => {
  test.each([
    [{ name: 'Ann' }, 'name', 1],
    [{ name: '2Pac' }, 'name', 0],
    [{ name: 'Žofie' }, 'name', 2],
    [{ name: 'Юлия' }, 'name', 5],
    [{ name: '李' }, 'name', 23],
    [{ name: '😀' }, 'name', 34],
    [{ name: '\u{10FFFF}' }, 'name', 49],
    [{ name: 'Ann' }, 'lastName', 64],
    [{ name: 'Ann', lastName: '' }, 'lastName', 0],
    [{ name: 'Ann', age: 39 }, 'age', 3],
    [{ name: 'Ann', age: 9007199254740991 }, 'age', 63],
  ] as const)('%j has %s in zone %d', (fields, field, zone) => {
    expect(zoneOf(fields, field)).toBe(zone);
  });

  test('hold the order keys of their users, and none of others', () => {
    fc.assert(
      fc.property(userFields, userFields, (one, other) => {
        for (const field of ZONED_FIELDS) {
          const key = orderKey({ ...one, id: 7, version: 1 } as User, field);
          const isWithin = (zone: number) =>
            stretchesOf(new Set([zone]), field).some(
              ({ first, last }) => compareCodePoints(first, key) < 0 && compareCodePoints(key, last) < 0,
            );
          expect(isWithin(zoneOf(one, field))).toBe(true);
          expect(isWithin(zoneOf(other, field))).toBe(zoneOf(one, field) === zoneOf(other, field));
        }
      }),
      { numRuns: 500 },
    );
  });

  test('that are neighbours make one stretch', () => {
    expect(stretchesOf(new Set([3, 2, 9]), 'age')).toEqual([
      { first: '0000000000000020', last: '0000000000000040' },
      { first: '0000000000000090', last: '0000000000000100' },
    ]);
  });
});
