import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markWords } from '../../../lib/replica/parts.ts';
import { cut, markPieces, piecesOf } from '../../../lib/replica/pieces.ts';
import { made } from '../../../lib/replica/steps.ts';
import { foldCase, plain } from '../../../lib/replica/text.ts';
import { Texts } from '../../../lib/replica/texts.ts';

const NO_WORK = { tick: () => {} };

const textsOf = (texts: readonly string[]) =>
  new Texts(Buffer.from(texts.map((text) => `${text}\0`).join('')), texts.length, foldCase);

/** Of each text, a bit for each word that one of its pieces has. */
function marksOf(texts: readonly string[], words: readonly string[]): Uint8Array {
  const pieces = made(cut(textsOf(texts)));
  if (!pieces) throw new Error('The texts are not cut');
  const [known, marks] = [new Uint8Array(pieces.distinct.size), new Uint8Array(texts.length)];
  markWords(pieces.distinct, words, known, true, NO_WORK);
  markPieces(pieces, known, marks);
  return marks;
}

const UNITS = ['a', 'b', 'A', 'É', 'e\u0301', 'ß', '≠', '@', '@', '.', '1'];
const text = fc.array(fc.constantFrom(...UNITS), { maxLength: 6 }).map((some) => some.join(''));

test('a piece of a word is in a piece of each text that has it, and in none of others', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 30 }), fc.nat(4), fc.integer({ min: 1, max: 4 }), (some, from, length) => {
      const texts = some.toSorted();
      const words = texts.flatMap((text) => piecesOf(plain(text).slice(from, from + length))).slice(0, 8);
      const expected = texts.map((text) =>
        words.reduce((bits, word, k) => bits | (Number(plain(text).includes(word)) << k), 0),
      );
      expect([...marksOf(texts, words)]).toEqual(expected);
    }),
    { numRuns: 1_000 },
  );
});

test('a sign is found in texts that have it in plain form only', () => {
  const marks = new Uint8Array(5);
  expect(
    markWords(textsOf(['1', '\u037e', '≠', 'É', '٣']), [';', '=', 'e', '1', '3', '@'], marks, false, NO_WORK),
  ).toBe(0b1111);
  expect([...marks]).toEqual([0b1000, 0b1, 0b10, 0b100, 0]);
});

test.each<[string, string[]]>([
  ["o'neil-o’neil", ['o', 'neil', 'o’neil']],
  ['ann.lee42@web.example', ['ann', 'lee', '@web.example']],
  ['@', ['@']],
  ['4711', []],
])('the pieces of %s are its letters, and its domain', (text, pieces) => {
  expect(piecesOf(text)).toEqual(pieces);
});

test('texts that share no pieces are not cut: pieces take no more memory than they save', () => {
  const letters = (i: number) =>
    [...i.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)));
  const distinct = Array.from({ length: 900 }, (_, i) => `${letters(i + 1_000).join('')}zz`);
  expect(made(cut(textsOf(distinct)))).toBeUndefined();
  const short = Array.from({ length: 900 }, () => 'a b c d');
  expect(made(cut(textsOf(short)))).toBeUndefined();
  const shared = Array.from({ length: 900 }, (_, i) => `ann lee${i}`);
  expect(made(cut(textsOf(shared)))?.distinct.size).toBe(3);
});
