import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addModulo, hash48, toHex } from '../../../lib/users/hash.ts';

const MOST = 2 ** 48 - 1;

test('a hash is the first six bytes of SHA-256, in twelve digits', () => {
  expect(['abc', ''].map((text) => toHex(hash48(text)))).toEqual(['ba7816bf8f01', 'e3b0c44298fc']);
  expect([0, 255, MOST].map(toHex)).toEqual(['000000000000', '0000000000ff', 'ffffffffffff']);
});

test('hashes are added modulo 2^48: the sum is the same in any order, and 0 after all of them are subtracted', () => {
  const sum = (values: number[], start = 0) => values.reduce(addModulo, start);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: MOST }), { maxLength: 50 }), (values) => {
      const negated = values.map((value) => -value);
      expect(BigInt(sum(values))).toBe(values.reduce((all, value) => all + BigInt(value), 0n) % 2n ** 48n);
      expect([sum(values.toReversed()), sum(negated, sum(values))]).toEqual([sum(values), 0]);
    }),
    { examples: [[[MOST, 1]], [[MOST, MOST]], [[0]]] },
  );
});
