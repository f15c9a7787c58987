import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packIntegers, unpackIntegers } from '../../../lib/users/bytes.ts';

describe('packed integers', () => {
  test.each([
    [[], []],
    [[0], [0]],
    [[127], [127]],
    [[128], [128, 1]],
    [[300], [172, 2]],
    [[2 ** 32], [128, 128, 128, 128, 16]],
    [[Number.MAX_SAFE_INTEGER], [255, 255, 255, 255, 255, 255, 255, 15]],
    [
      [1, 300, 2],
      [1, 172, 2, 2],
    ],
  ])('%j are the bytes %j', (integers, bytes) => {
    expect([...packIntegers(integers)]).toEqual(bytes);
  });

  test('are restored, even from a view into a larger buffer', () => {
    const integer = fc.oneof(fc.maxSafeNat(), fc.integer({ min: 0, max: 300 }));
    fc.assert(
      fc.property(fc.array(integer, { maxLength: 200, size: 'max' }), (integers) => {
        const bytes = packIntegers(integers);
        const within = new Uint8Array([7, ...bytes, 7]).subarray(1, bytes.length + 1);
        expect(unpackIntegers(within)).toEqual(integers);
      }),
    );
  });
});
