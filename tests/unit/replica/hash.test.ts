import { expect, test } from 'vitest';
import { hash48, toHex } from '../../../lib/replica/hash.ts';

const MOST = 2 ** 48 - 1;

test('a hash is the first six bytes of SHA-256, in twelve digits', () => {
  expect(['abc', ''].map((text) => toHex(hash48(text)))).toEqual(['ba7816bf8f01', 'e3b0c44298fc']);
  expect([0, 255, MOST].map(toHex)).toEqual(['000000000000', '0000000000ff', 'ffffffffffff']);
});
