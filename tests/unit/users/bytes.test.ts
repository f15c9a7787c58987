import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packIntegers, unpackIntegers } from '../../../lib/users/bytes.ts';

test('integers are packed with seven bits in a byte, the lowest bits first', () => {
  expect([...packIntegers([0, 127, 128, 300])]).toEqual([0, 127, 128, 1, 172, 2]);
  expect([...packIntegers([2 ** 32, Number.MAX_SAFE_INTEGER])]).toEqual([
    ...[128, 128, 128, 128, 16],
    ...[255, 255, 255, 255, 255, 255, 255, 15],
  ]);
});

test('packed integers are restored, even from a view into a larger buffer', () => {
  const integer = fc.oneof(fc.maxSafeNat(), fc.integer({ min: 0, max: 300 }));
  fc.assert(
    fc.property(fc.array(integer, { maxLength: 200, size: 'max' }), (integers) => {
      const bytes = packIntegers(integers);
      const within = new Uint8Array([7, ...bytes, 7]).subarray(1, bytes.length + 1);
      expect(unpackIntegers(within)).toEqual(integers);
    }),
  );
});
