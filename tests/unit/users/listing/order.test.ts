import { describe, expect, test } from 'vitest';
import { firstInOrder, reversed, type SortKey, totalOrder } from '../../../../lib/users/listing/order.ts';

const asc = (property: SortKey['property']): SortKey => ({ property, direction: 'asc' });
const desc = (property: SortKey['property']): SortKey => ({ property, direction: 'desc' });

describe('totalOrder', () => {
  test.each([
    [[], [asc('id')]],
    [[desc('name')], [desc('name'), desc('id')]],
    [
      [desc('name'), asc('age')],
      [desc('name'), asc('age'), asc('id')],
    ],
    [
      [asc('name'), desc('age'), asc('age')],
      [asc('name'), desc('age'), desc('id')],
    ],
    [[desc('id'), asc('name')], [desc('id')]],
    [
      [asc('age'), desc('age'), asc('name')],
      [asc('age'), asc('name'), asc('id')],
    ],
  ])('of %j is %j', (keys, order) => {
    expect(totalOrder(keys)).toEqual(order);
  });

  test('reversed has the opposite direction for every property, and for the id', () => {
    expect(reversed(totalOrder([desc('name'), asc('age')]))).toEqual([asc('name'), desc('age'), desc('id')]);
  });
});

describe('a selection', () => {
  test('keeps the users that come first, each once', () => {
    const users = [9, 2, 7, 4, 8, 1, 2, 6, 3, 5].map((id) => ({ id, version: 1, name: 'x' }));
    expect(firstInOrder(users, totalOrder([]), 3).map(({ id }) => id)).toEqual([1, 2, 3]);
    const many = Array.from({ length: 9_000 }, (_, i) => ({ id: (i * 7_919) % 9_001, version: 1, name: 'x' }));
    expect(firstInOrder(many, totalOrder([]), 4).map(({ id }) => id)).toEqual([0, 1, 2, 3]);
  });
});
