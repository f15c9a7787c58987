import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldCase } from '../../../lib/replica/text.ts';
import { FOLDING, folded } from '../../support/folding.ts';

/** Every character that the runtime knows, by itself, and as it is folded. */
const CHARACTERS = Array.from({ length: 0x110000 }, (_, codePoint) => String.fromCodePoint(codePoint)).filter(
  (character) => /^\P{Cn}$/v.test(character),
);
const FOLDED = CHARACTERS.map(foldCase);

describe('foldCase', () => {
  test('is what CaseFolding.txt says, for every character and for texts of them', () => {
    expect(FOLDING.size).toBeGreaterThan(1_500);
    expect(CHARACTERS.filter((character, i) => FOLDED[i] !== folded(character))).toEqual([]);
    const special = fc.constantFrom(
      ...CHARACTERS.filter((character, i) => character !== FOLDED[i]),
      '\u0345',
      '\u0307',
      'σ',
      'i',
    );
    fc.assert(
      fc.property(fc.string({ unit: special }), (value) => {
        expect(foldCase(value)).toBe(folded(value));
        expect(foldCase(foldCase(value))).toBe(foldCase(value));
      }),
      { numRuns: 2_000 },
    );
  });

  test('makes no character longer than five bytes, so that keys fit into 1,024', () => {
    const long = CHARACTERS.filter((_, i) => Buffer.byteLength(FOLDED[i] ?? '') > 5);
    expect(long.filter((character) => character.normalize('NFC') === character)).toEqual([]);
    expect(Buffer.byteLength(foldCase('\u1F82'))).toBe(5);
  });
});
