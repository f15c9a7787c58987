import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldCase, plain } from '../../../../lib/columns/values/text.ts';
import { foldAddress } from '../../../../lib/users/mailbox.ts';
import { FULL, folded, foldedAddress, plain as plainly, SIMPLE } from '../../../support/folding.ts';

/** Every character that the runtime knows, but for private ones. */
const CHARACTERS = Array.from({ length: 0x110000 }, (_, codePoint) => String.fromCodePoint(codePoint)).filter(
  (character) => /^[\P{Cn}--\p{Co}]$/v.test(character) && character.isWellFormed(),
);

/** In NFC they are in ASCII: they do not become it. */
const STAY = /[\u037e\u1fef\u212a]/;

describe.each([
  ['of texts', foldCase, folded],
  ['of addresses', foldAddress, foldedAddress],
])('the folding %s', (_, fold, wanted) => {
  test('is what CaseFolding.txt and the contract say, for every character and for texts of them', () => {
    expect(FULL.size).toBeGreaterThan(1_500);
    expect(SIMPLE.size).toBeGreaterThan(1_450);
    expect(CHARACTERS.filter((character) => fold(character) !== wanted(character))).toEqual([]);
    const special = CHARACTERS.filter((character) => character !== fold(character));
    const marks = ['\u0307', '\u0323', '\u0301', '\u0345', '\u034f'];
    const unit = fc.oneof(fc.constantFrom(...special), fc.constantFrom(...marks, ...'iıjσkﬁ'));
    const text = fc.string({ unit, maxLength: 8 });
    fc.assert(
      fc.property(text, (value) => {
        const text = fold(value);
        expect(text).toBe(wanted(value));
        expect(fold(text)).toBe(text);
        for (const form of ['NFC', 'NFD'])
          if (fold === foldCase || !STAY.test(value)) expect(fold(value.normalize(form))).toBe(text);
      }),
      { numRuns: 4_000 },
    );
  });
});

test.each([
  ['İI\u0307i\u0307ıi\u0323\u0307\u0301ﬁ\u0307', 'iiiiị\u0301fi'],
  ['ſßẞﬀµ\u212aÉe\u0301', 'sssssffμkéé'],
])('the text %s folds to %s', (text, expected) => {
  expect(foldCase(text)).toBe(expected);
});

test.each([
  ['MI\u0307KEmıke', 'mİkemıke'],
  ['ſßẞﬀﬁ\u212aÉe\u0301Σς', 'ſßßﬀﬁ\u212aééσσ'],
])('the address %s folds to %s', (address, expected) => {
  expect(foldAddress(address)).toBe(expected);
});

test('no letter of an address becomes one of ASCII, or of none', () => {
  const isAscii = (text: string) => /^\p{ASCII}*$/u.test(text);
  expect(CHARACTERS.filter((letter) => isAscii(foldAddress(letter)) !== isAscii(letter))).toEqual([]);
});

test('a text is plain without case, strokes and the marks of letters that have accents, for every character', () => {
  expect(CHARACTERS.filter((character) => plain(character) !== plainly(character))).toEqual([]);
  expect(
    CHARACTERS.filter((character) => /^[^\0-\x7f].*$/su.test(character) && /[\0-:@]/.test(plain(character))),
  ).toEqual([]);
  expect(plain('ŁÓDŹ Ǿ Æsir ÞÓRÐR Œuvre Đà Nẵng')).toBe('lodz o aesir thordr oeuvre da nang');
});

test.each([
  ['Ёлка Йод Ὀδυσσεύς', 'елка иод οδυσσευσ'],
  ['שָׁלוֹם', 'שלום'],
  ['مُحَمَّد أحمد', 'محمد احمد'],
  ['がぎ か\u3099ﾊ\uff9e', 'がぎ がﾊ\uff9e'],
  ['दिल कि', 'दिल कि'],
  ['한국 \u1112\u1161\u11ab', '한국 한'],
  ['\u0301 1\u0301 か\u0301e\u0301', '\u0301 1\u0301 か\u0301e'],
  ['தமிழ் ไทย', 'தமிழ் ไทย'],
])('the text %s is plain as %s, and so it is when it is decomposed', (text, expected) => {
  expect([plain(text), plain(text.normalize('NFD'))]).toEqual([expected, expected]);
});

test('a plain text stays as it is, and so do its words, each for itself', () => {
  const units = [
    'か',
    '\u3099',
    'दि',
    '\u093f',
    '하',
    '\u11ab',
    'ש',
    '\u05b8',
    'é',
    '\u0301',
    'ё',
    'ـ',
    '1',
    '\u0345',
    '≠',
  ];
  const text = fc.string({ unit: fc.constantFrom(...units), maxLength: 8 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(plain(plain(a))).toBe(plain(a));
      expect(plain(`${a}か${b}`)).toBe(plainly(`${a}か${b}`));
      expect(plain(`${a} ${b}`)).toBe(`${plain(a)} ${plain(b)}`);
    }),
    { numRuns: 4_000 },
  );
});
