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

test.each([
  ['few', 1_000],
  ['many', 2],
])('a part that %s texts have is found in megabytes of them', (_, every) => {
  const texts = Array.from({ length: 20_000 }, (_, i) => `${'-'.repeat(90)}${i % every === 1 ? '+49' : '+31'} ${i}`);
  const marks = new Uint8Array(texts.length);
  const search = { searched: wanted(['+49', '49 7']), form: plain };
  expect(markTexts(textsOf(texts), search, marks, NO_WORK)).toBe(3);
  const expected = texts.map((text) => Number(text.includes('+49')) | (Number(text.includes('49 7')) << 1));
  expect(Buffer.from(marks).equals(Buffer.from(expected))).toBe(true);
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

/** The numbers of rows that have each of 900 texts twice, and nearly. */
const [TWICE, NEARLY] = [1_800, 1_799];

test('texts that share no tokens are not cut, but kept in lower case where rows share them: all takes at most one and a half times their bytes', () => {
  const letters = (i: number) =>
    [...i.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)));
  const distinct = Array.from({ length: 900 }, (_, i) => `Z${letters(i + 1_000).join('')}É`);
  const short = Array.from({ length: 900 }, () => 'a b C d');
  for (const texts of [distinct, short]) {
    const { distinct, postings } = made(tokenize(textsOf(texts), TWICE)) ?? {};
    const small = texts.map((text) => `${text.replace(/[A-Z]/, (letter) => letter.toLowerCase())}\0`);
    expect([distinct?.size, distinct?.bytes.toString(), postings]).toEqual([900, small.join(''), undefined]);
    expect(made(tokenize(textsOf(texts), NEARLY))).toBeUndefined();
  }
  // Each row of a text has one of its own, and most have none.
  const codes = Uint32Array.from({ length: 9_000 }, (_, row) => Math.min(row, 900));
  expect(made(new Column('text', textsOf(distinct), codes, new Uint32Array(0)).tokenizing())).toBeUndefined();
  const shared = textsOf(Array.from({ length: 900 }, (_, i) => `ann lee${i}`));
  const { distinct: tokens, postings } = made(tokenize(shared, 0)) ?? {};
  const bytes = (tokens?.bytes.length ?? 0) + (postings?.ends.byteLength ?? 0) + (postings?.texts.byteLength ?? 0);
  expect(tokens?.size).toBe(3);
  expect(bytes).toBeLessThan(1.5 * shared.length);
});

test('a part of texts in lower case is found', () => {
  const texts = ['Ämne', 'Zann', 'zANNa', 'Zoe'].flatMap((text) =>
    Array.from({ length: 400 }, (_, i) => `${text}${String.fromCodePoint(0x4e00 + i)}`),
  );
  const column = new Column('text', textsOf(texts), new Uint32Array(2 * texts.length), new Uint32Array(0));
  expect(made(column.tokenizing())?.postings).toBeUndefined();
  const marks = new Uint8Array(texts.length);
  markColumn(column, { searched: wanted(['ann', 'amn']), form: plain }, marks, NO_WORK);
  expect([0, 399, 400, 799, 800, 1_199, 1_200].map((i) => marks[i])).toEqual([2, 2, 1, 1, 1, 1, 0]);
});

test('the blocks of a stored base are cut one by one, and none is kept', () => {
  const unpack = vi.fn(() => Buffer.from('ann lee\0bob\0'));
  const block = { size: 2, length: 12, unpack };
  const blocks = [0, 2].map((first) => ({ ...block, first }));
  const texts = new Texts(blocks, 4, foldCase);
  const joined = made(tokenize(textsOf(['ann lee', 'bob', 'ann lee', 'bob']), 0));
  expect(made(tokenize(texts, 0))).toEqual(joined);
  expect(texts.text(3)).toBe('bob');
  expect(unpack).toHaveBeenCalledTimes(3);
  // One of the blocks has a text too many, or the other one too few.
  for (const size of [3, 5]) expect(() => made(tokenize(new Texts(blocks, size, foldCase), 0))).toThrow(BrokenBase);
  expect(() => made(tokenize(new Texts(Buffer.from('ann'), 1, foldCase), 0))).toThrow(BrokenBase);
});
