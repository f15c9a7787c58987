import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addModulo, hash48, toHex } from '../../../lib/users/hash.ts';

const MOST = 2 ** 48 - 1;

describe('hash48', () => {
  test('gives the first six bytes of SHA-256', () => {
    expect(toHex(hash48('abc'))).toBe('ba7816bf8f01');
    expect(toHex(hash48(''))).toBe('e3b0c44298fc');
  });
});

describe('addModulo', () => {
  test.each([
    [MOST, 1, 0],
    [MOST, MOST, MOST - 1],
    [0, -1, MOST],
    [1, -MOST, 2],
    [5, -5, 0],
  ])('of %d and %d is %d', (a, b, sum) => {
    expect(addModulo(a, b)).toBe(sum);
  });

  test('gives the same sum in any order, and 0 after all is subtracted', () => {
    const hashes = fc.array(fc.integer({ min: 0, max: MOST }), { maxLength: 50 });
    const sum = (values: number[], start = 0) => values.reduce(addModulo, start);
    fc.assert(
      fc.property(hashes, (values) => {
        expect(sum(values.toReversed())).toBe(sum(values));
        expect(
          sum(
            values.map((value) => -value),
            sum(values),
          ),
        ).toBe(0);
        expect(BigInt(sum(values))).toBe(values.reduce((all, value) => all + BigInt(value), 0n) % 2n ** 48n);
      }),
    );
  });
});

describe('toHex', () => {
  test('always gives twelve digits', () => {
    expect([0, 255, MOST].map(toHex)).toEqual(['000000000000', '0000000000ff', 'ffffffffffff']);
  });
});
