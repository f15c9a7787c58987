import { describe, expect, test } from 'vitest';
import { SUBSTRING_TESTS } from '../../../../lib/columns/values/definition.ts';
import { decoded, encoded, isPlace, type Mixed } from '../../../../lib/columns/values/mixed.ts';

/** In their order. */
const VALUES: Mixed[] = [
  ...[false, true],
  ...[-Infinity, -1e300, -3.5, -3, -1, -Number.MIN_VALUE, 0, Number.MIN_VALUE, 1, 1.5, 2, 255, 256, 2 ** 53 - 1, 1e300],
  ...['', '3', 'a', 'ab', 'b', 'true'],
  ...[[], [''], ['a'], ['a', 'b'], ['ab'], ['b']],
];

describe('the code of a value', () => {
  test('is another one for each value, and the codes sort as the values do', () => {
    const codes = VALUES.map(encoded);
    expect(codes.toSorted()).toEqual(codes);
    expect(new Set(codes).size).toBe(VALUES.length);
  });

  test('is read as the value', () => {
    expect(VALUES.map((value) => decoded(encoded(value)))).toEqual(VALUES);
    expect(decoded(encoded(-0))).toBe(0);
  });
});

test('a substring is searched at each place that questions know, and no text is tested alone', () => {
  expect(Object.keys(SUBSTRING_TESTS).filter((at) => !isPlace(at))).toEqual([]);
});
