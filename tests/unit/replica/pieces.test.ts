import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markTexts } from '../../../lib/replica/parts.ts';
import { cut, markPieces, piecesOf } from '../../../lib/replica/pieces.ts';
import { made } from '../../../lib/replica/steps.ts';
import { type Fold, foldCase, plain } from '../../../lib/replica/text.ts';
import { Texts } from '../../../lib/replica/texts.ts';

const NO_WORK = { tick: () => {} };

const textsOf = (texts: readonly string[]) =>
  new Texts(Buffer.from(texts.map((text) => `${text}\0`).join('')), texts.length, foldCase);

const wanted = (words: readonly string[]) => words.map((word, k) => ({ part: Buffer.from(word), mark: 1 << k }));

/** Of each text, a bit for each word that one of its pieces has in a form, or the one at its end. */
function marksOf(texts: readonly string[], words: readonly string[], form: Fold, atEnd: boolean): Uint8Array {
  const pieces = made(cut(textsOf(texts)));
  if (!pieces) throw new Error('The texts are not cut');
  const [known, marks] = [new Uint8Array(pieces.distinct.size), new Uint8Array(texts.length)];
  const searched = wanted(words.map((word) => (atEnd ? `${word}\0` : word)));
  markTexts(pieces.distinct, form, searched, known, true, NO_WORK);
  markPieces(pieces, known, marks, atEnd);
  return marks;
}

const UNITS = ['a', 'b', 'A', 'É', 'e\u0301', 'ß', '≠', '=', '\u0338', '@', '@', '.', '1'];
const text = fc.array(fc.constantFrom(...UNITS), { maxLength: 6 }).map((some) => some.join(''));

test.each([
  { form: plain, atEnd: false },
  { form: plain, atEnd: true },
  { form: foldCase, atEnd: false },
  { form: foldCase, atEnd: true },
])('a piece of a $form.name word is in a piece of each text that has it, at its end: $atEnd', ({ form, atEnd }) => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 30 }), fc.nat(4), fc.integer({ min: 1, max: 4 }), (some, from, length) => {
      const texts = some.toSorted();
      const words = texts.flatMap((text) => piecesOf(form(text).slice(from, from + length))).slice(0, 8);
      const has = (text: string, word: string) => (atEnd ? text.endsWith(word) : text.includes(word));
      const expected = texts.map((text) =>
        words.reduce((bits, word, k) => bits | (Number(has(form(text), word)) << k), 0),
      );
      expect([...marksOf(texts, words, form, atEnd)]).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test('a sign is found in texts that have it in plain form only', () => {
  const marks = new Uint8Array(5);
  expect(
    markTexts(
      textsOf(['1', '\u037e', '≠', 'É', '٣']),
      plain,
      wanted([';', '=', 'e', '1', '3', '@']),
      marks,
      false,
      NO_WORK,
    ),
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
