import { expect, test } from 'vitest';
import { packIntegers } from '../../../lib/ground/integers.ts';

test('integers are packed with seven bits in a byte, the lowest bits first', () => {
  expect([...packIntegers([0, 127, 128, 300])]).toEqual([0, 127, 128, 1, 172, 2]);
  expect([...packIntegers([2 ** 32, Number.MAX_SAFE_INTEGER])]).toEqual([
    ...[128, 128, 128, 128, 16],
    ...[255, 255, 255, 255, 255, 255, 255, 15],
  ]);
});
