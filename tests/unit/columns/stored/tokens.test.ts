import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { markTexts } from '../../../../lib/columns/asked/substrings.ts';
import { type ColumnSearch, markColumn } from '../../../../lib/columns/asked/textSearch.ts';
import { BrokenBase } from '../../../../lib/columns/stored/bytes.ts';
import { Column } from '../../../../lib/columns/stored/column.ts';
import { Texts } from '../../../../lib/columns/stored/texts.ts';
import { tokenize, tokensOf } from '../../../../lib/columns/stored/tokens.ts';
import { type Fold, foldCase, plain } from '../../../../lib/columns/values/text.ts';
import { made } from '../../../../lib/columns/work/chunks.ts';

const NO_WORK = { tick: () => {} };

type How = Pick<ColumnSearch, 'ofTokens' | 'atEnd'>;

const textsOf = (texts: readonly string[]) =>
  new Texts(Buffer.from(texts.map((text) => `${text}\0`).join('')), texts.length, foldCase);

const wanted = (words: readonly string[]) => words.map((word, k) => ({ substring: Buffer.from(word), mark: 1 << k }));

/** Of each text, a bit for each part that it has in a form. */
function marksOf(texts: readonly string[], parts: readonly string[], form: Fold, how: How): Uint8Array {
  const column = new Column('text', textsOf(texts), new Uint32Array(0), new Uint32Array(0));
  if (!made(column.tokenizing())) throw new Error('The texts are not cut');
  const marks = new Uint8Array(texts.length);
  markColumn(column, { searched: wanted(parts), form, ...how }, marks, NO_WORK);
  return marks;
}

const UNITS = ['a', 'b', 'A', 'É', 'e\u0301', 'ß', '≠', '=', '\u0338', '@', '@', '.', '1', 'か', 'が', '\u3099', 'दि'];
const text = fc.array(fc.constantFrom(...UNITS), { maxLength: 8 }).map((some) => some.join(''));

/** Checks parts of texts, of which some are looked for. */
const isFound = (form: Fold, atEnd: boolean, of: (part: string) => string[], how: How) =>
  fc.property(fc.array(text, { maxLength: 30 }), fc.nat(4), fc.integer({ min: 1, max: 6 }), (some, from, length) => {
    const texts = some.toSorted();
    const parts = texts.flatMap((text) => of(form(text).slice(from, from + length))).slice(0, how.ofTokens ? 8 : 2);
    const has = (text: string, part: string) => (atEnd ? text.endsWith(part) : text.includes(part));
    const expected = texts.map((text) =>
      parts.reduce((bits, part, k) => bits | (Number(has(form(text), part)) << k), 0),
    );
    const searched = atEnd ? parts.map((part) => `${part}\0`) : parts;
    expect([...marksOf(texts, searched, form, how)]).toEqual(expected);
  });

describe.each([
  { form: plain, atEnd: false },
  { form: plain, atEnd: true },
  { form: foldCase, atEnd: false },
  { form: foldCase, atEnd: true },
])('in texts as $form.name makes them, at their end: $atEnd', ({ form, atEnd }) => {
  test('a part of tokens is found', () => {
    fc.assert(isFound(form, atEnd, tokensOf, { ofTokens: true, atEnd }), { numRuns: 500 });
  });

  test('a part that reaches across tokens is found, and one of none', () => {
    fc.assert(
      isFound(form, atEnd, (part) => (part === '' ? [] : [part]), {}),
      { numRuns: 500 },
    );
  });
});

test('a sign is found in texts that have it in plain form only', () => {
  const marks = new Uint8Array(6);
  expect(
    markTexts(
      textsOf(['1', '\u037e', '=', '≠', 'É', '٣']),
      { searched: wanted([';', '=', 'e', '1', '3', '@']), form: plain },
      marks,
      NO_WORK,
    ),
  ).toBe(0b1111);
  expect([...marks]).toEqual([0b1000, 0b1, 0b10, 0, 0b100, 0]);
});

test.each<[string, string[]]>([
  ["o'neil-o’neil", ['o', 'neil', 'o’neil']],
  ['ann.lee42@web.example', ['ann', 'lee', '@web.example']],
  ['@', ['@']],
  ['4711', []],
])('the tokens of %s are its letters, and its domain', (text, tokens) => {
  expect(tokensOf(text)).toEqual(tokens);
});

/** Bytes of what is made of texts, and of the texts. */
function sizesOf(texts: readonly string[]) {
  const { distinct, postings } = made(tokenize(textsOf(texts)));
  const ofPostings = postings ? postings.ends.byteLength + postings.texts.byteLength : 0;
  return { distinct: distinct.size, made: distinct.bytes.length + ofPostings, texts: textsOf(texts).length };
}

test('texts that share no tokens are not cut, but kept in lower case: all takes at most one and a half times their bytes', () => {
  const letters = (i: number) =>
    [...i.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)));
  const distinct = Array.from({ length: 900 }, (_, i) => `Z${letters(i + 1_000).join('')}É`);
  const { bytes } = made(tokenize(textsOf(distinct))).distinct;
  expect(bytes.toString()).toBe(distinct.map((text) => `z${text.slice(1)}\0`).join(''));
  const short = Array.from({ length: 900 }, () => 'a b c d');
  const shared = Array.from({ length: 9_000 }, (_, i) => `ann lee${i}`);
  for (const [texts, size] of [
    [distinct, 900],
    [short, 900],
    [shared, 3],
  ] as const) {
    const sizes = sizesOf(texts);
    expect(sizes.distinct).toBe(size);
    expect(sizes.made).toBeLessThanOrEqual(1.5 * sizes.texts);
  }
});

test('the blocks of a stored base are cut one by one, and none is kept', () => {
  const unpack = vi.fn(() => Buffer.from('ann lee\0bob\0'));
  const block = { size: 2, length: 12, unpack };
  const blocks = [0, 2].map((first) => ({ ...block, first }));
  const texts = new Texts(blocks, 4, foldCase);
  const joined = made(tokenize(textsOf(['ann lee', 'bob', 'ann lee', 'bob'])));
  expect(made(tokenize(texts)).postings).toEqual(joined.postings);
  expect(texts.text(3)).toBe('bob');
  expect(unpack).toHaveBeenCalledTimes(3);
  // One of the blocks has a text too many, or the other one too few.
  for (const size of [3, 5]) expect(() => made(tokenize(new Texts(blocks, size, foldCase)))).toThrow(BrokenBase);
  expect(() => made(tokenize(new Texts(Buffer.from('ann'), 1, foldCase)))).toThrow(BrokenBase);
});
