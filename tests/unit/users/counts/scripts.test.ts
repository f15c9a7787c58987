import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scriptsIn } from '../../../../lib/users/counts/scripts.ts';
import { foldCase } from '../../../../lib/users/text.ts';
import { userFields } from '../../../support/arbitraries.ts';

describe('the scripts of the letters in a text', () => {
  test.each([
    ['latin', ['smith', 'müller', 'ö', 'ɏ', 'nguyễn']],
    ['greek', ['παπας', 'ἀ']],
    ['cyrillic', ['иванов', 'ԯ']],
    ['arabic', ['محمد']],
    ['indic', ['शर्मा']],
    ['thai', ['ใจ']],
    ['kana', ['すずき', 'スズキ']],
    ['han', ['鈴木', '㐀']],
    ['hangul', ['김', '힣']],
    ['x', ['כהן', 'հայ', 'ა', '😀', '𠮷', '\u{10FFFF}']],
    ['cyrillic latin', ['иванов-smith', 'smith-иванов']],
    ['han kana latin', ['mス木']],
    ['latin x', ['o’hara']],
    ['', ['', ' ', '0123456789', "-'.,_`", '{|}~', '\u00A0', '\u00BF', '\u0301', '\u036F', '4\u0307']],
  ])('are %j for %j', (scripts, texts) => {
    // The second answer comes from a cache.
    for (const text of [...texts, ...texts]) expect([text, scriptsIn(text).join(' ')]).toEqual([text, scripts]);
  });

  test('stay right after the cache was full', () => {
    for (let i = 0; i < 10_001; i++) scriptsIn(`ж${i}`);
    expect(['ж10000', 'smith'].map(scriptsIn)).toEqual([['cyrillic'], ['latin']]);
  });
});
const names = fc.oneof(
  userFields.map(({ lastName = '' }) => lastName),
  fc
    .array(fc.constantFrom('a', 'É', 'Σ', 'ж', '\u0301', 'छ', '鈴', 'ス', '김', '😀', '1', '-'), { maxLength: 8 })
    .map((units) => units.join('')),
);

test('a name has all scripts of the keywords that it contains', () => {
  fc.assert(
    fc.property(names, fc.nat(8), fc.nat(4), (name, start, length) => {
      const folded = foldCase(name);
      const pieceOf = (text: string) =>
        Array.from(text)
          .slice(start, start + length)
          .join('');
      // Keywords as a search uses them. A part of a name may be folded differently without its neighbours.
      const keywords = [pieceOf(folded), foldCase(pieceOf(name)), foldCase(pieceOf(name).toUpperCase())];
      return keywords
        .filter((keyword) => folded.includes(keyword))
        .every((keyword) => scriptsIn(keyword).every((script) => scriptsIn(folded).includes(script)));
    }),
    { numRuns: 2_000 },
  );
});
