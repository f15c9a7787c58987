import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareCodePoints, foldCase } from '../../../lib/users/text.ts';

describe('foldCase', () => {
  test.each([
    ['SMITH', 'smith'],
    ['E\u0301', 'é'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['οδος', 'οδοσ'],
    ['Straße', 'straße'],
    ['İ', 'i\u0307'],
    ['𝒜', '𝒜'],
  ])('turns %j into %j', (value, folded) => {
    expect(foldCase(value)).toBe(folded);
  });

  test('is idempotent', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (value) => foldCase(foldCase(value)) === foldCase(value)));
  });
});

describe('compareCodePoints', () => {
  test('orders as DynamoDB orders UTF-8 bytes', () => {
    const order = (a: string, b: string) => Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const unicode = fc.string({
      unit: fc.constantFrom('a', 'é', '\uD7FF', '\uE000', '\uFFFF', '\u{10000}', '\u{10FFFF}', '\0'),
    });
    fc.assert(
      fc.property(unicode, unicode, (a, b) => Math.sign(compareCodePoints(a, b)) === order(a, b)),
      { numRuns: 2_000 },
    );
  });
});
