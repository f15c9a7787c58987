import { expect, test } from 'vitest';
import type { SortProperty } from '../../../../lib/users/fields.ts';
import { reversed, totalOrder } from '../../../../lib/users/listing/order.ts';

/** An order as a text, in which `-` stands before a property that descends. */
const keysOf = (text: string) =>
  text.split(' ').map((key) => ({
    property: key.replace('-', '') as SortProperty,
    direction: key.startsWith('-') ? ('desc' as const) : ('asc' as const),
  }));

test.each([
  ['-name', '-name -id'],
  ['-name age', '-name age id'],
  ['name -age age', 'name -age -id'],
  ['-id name', '-id'],
  ['age -age name', 'age name id'],
])('the total order of %s is %s: each property once, and the id last', (keys, order) => {
  expect(totalOrder(keysOf(keys))).toEqual(keysOf(order));
});

test('an order is by id if nothing is asked for, and reversed it descends in every property', () => {
  expect(totalOrder([])).toEqual(keysOf('id'));
  expect(reversed(totalOrder(keysOf('-name age')))).toEqual(keysOf('name -age -id'));
});
