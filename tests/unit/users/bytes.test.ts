import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createReader, createWriter } from '../../../lib/users/bytes.ts';

function written(write: (writer: ReturnType<typeof createWriter>) => void): number[] {
  const writer = createWriter();
  write(writer);
  return [...writer.finish()];
}

describe('bytes', () => {
  test.each([
    [0, [0]],
    [127, [127]],
    [128, [128, 1]],
    [300, [172, 2]],
    [2 ** 32, [128, 128, 128, 128, 16]],
    [Number.MAX_SAFE_INTEGER, [255, 255, 255, 255, 255, 255, 255, 15]],
  ])('of the integer %d are %j', (value, bytes) => {
    expect(written((writer) => writer.integer(value))).toEqual(bytes);
  });

  test('of a text are their number, then UTF-8', () => {
    expect(written((writer) => writer.text('é😀'))).toEqual([6, 195, 169, 240, 159, 152, 128]);
  });

  test('restore everything that was written', () => {
    const integer = fc.oneof(fc.maxSafeNat(), fc.integer({ min: 0, max: 300 }));
    const text = fc.string({ unit: 'grapheme' }).filter((value) => value.isWellFormed());
    fc.assert(
      fc.property(
        fc.array(fc.oneof(integer, text, fc.uint8Array({ maxLength: 300 })), { maxLength: 200, size: 'max' }),
        (values) => {
          const writer = createWriter();
          for (const value of values) {
            if (typeof value === 'number') writer.integer(value);
            else if (typeof value === 'string') writer.text(value);
            else writer.bytes(value);
          }
          const bytes = writer.finish();
          expect(writer.size()).toBe(bytes.length);
          // A view into a larger buffer, as the SDK returns it.
          const within = new Uint8Array([7, ...bytes, 7]).subarray(1, bytes.length + 1);
          const reader = createReader(within);
          for (const value of values) {
            if (typeof value === 'number') expect(reader.integer()).toBe(value);
            else if (typeof value === 'string') expect(reader.text()).toBe(value);
            else expect([...reader.bytes(value.length)]).toEqual([...value]);
          }
          expect(reader.hasMore()).toBe(false);
        },
      ),
    );
  });

  test('do not change when more is written', () => {
    const writer = createWriter();
    writer.integer(1);
    const bytes = writer.finish();
    for (let i = 0; i < 10_000; i++) writer.integer(255);
    expect([...bytes]).toEqual([1]);
    expect(writer.size()).toBe(20_001);
  });
});
