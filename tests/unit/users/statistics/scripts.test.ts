import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scriptsIn } from '../../../../lib/users/statistics/scripts.ts';
import { foldCase } from '../../../../lib/users/text.ts';
import { userFields } from '../../../support/arbitraries.ts';

describe('the scripts of the letters in a text', () => {
  test.each([
    ['smith', ['latin']],
    ['müller', ['latin']],
    ['ö', ['latin']],
    ['ɏ', ['latin']],
    ['nguyễn', ['latin']],
    ['παπας', ['greek']],
    ['ἀ', ['greek']],
    ['иванов', ['cyrillic']],
    ['ԯ', ['cyrillic']],
    ['محمد', ['arabic']],
    ['शर्मा', ['indic']],
    ['ใจ', ['thai']],
    ['すずき', ['kana']],
    ['スズキ', ['kana']],
    ['鈴木', ['han']],
    ['㐀', ['han']],
    ['김', ['hangul']],
    ['힣', ['hangul']],
    ['כהן', ['x']],
    ['հայ', ['x']],
    ['ა', ['x']],
    ['😀', ['x']],
    ['𠮷', ['x']],
    ['\u{10FFFF}', ['x']],
    ['иванов-smith', ['cyrillic', 'latin']],
    ['smith-иванов', ['cyrillic', 'latin']],
    ['mス木', ['han', 'kana', 'latin']],
    ['o’hara', ['latin', 'x']],
  ])('are for %j the scripts %j', (text, scripts) => {
    expect(scriptsIn(text)).toEqual(scripts);
    // The second answer comes from a cache.
    expect(scriptsIn(text)).toEqual(scripts);
  });

  test.each(['', ' ', '0123456789', "-'.,_`", '{|}~', '\u00A0', '\u00BF', '\u0301', '\u036F', '4\u0307'])(
    'are none for %j',
    (text) => {
      expect(scriptsIn(text)).toEqual([]);
    },
  );

  test('stay right after the cache was full', () => {
    for (let i = 0; i < 10_001; i++) scriptsIn(`ж${i}`);
    expect(scriptsIn('ж10000')).toEqual(['cyrillic']);
    expect(scriptsIn('smith')).toEqual(['latin']);
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
