/**
 * Makes the form in which texts are compared, which is its own. Of texts in ASCII it is that in lower case. A NUL stays, and no letter reaches beyond it.
 */
export type Fold = (value: string) => string;

/**
 * Reads a whole number of a text, such as the day of a date, given as bytes from one to another one, not included; undefined if there is none.
 * It reads the same of a text and of its folded form.
 */
export type NumberIn = (bytes: Buffer, from: number, end: number) => number | undefined;

/** A byte of a text, in lower case if it is a letter of ASCII. */
export const lowered = (byte: number): number => (byte > 64 && byte < 91 ? byte + 32 : byte);

const ASCII = /^[\0-\x7f]*$/;

/** Small Cherokee letters, which are younger than the others: both fold to the others. */
const SMALL_CHEROKEE = /[\u13f8-\u13fd\uab70-\uabbf]/g;

const DOT = '\u0307';

/** Without the dots above of each i. No letter of NFC has one in it that is an i in lower case. */
const withoutDots = (text: string): string =>
  text.includes(DOT) ? text.normalize('NFD').replace(/(?<=i\p{M}*)\u0307/gu, '') : text;

/**
 * Case folding: the form in which texts are compared. Unicode's full case folding without a locale (CaseFolding.txt, C and F), then ı as i,
 * and i without a dot above, which it has as İ is folded; then NFC. Lower-casing, upper-casing and lower-casing again is that folding, but
 * for a final sigma, which depends on where it stands, and for Cherokee; a test compares the two.
 */
export const foldCase: Fold = (value) => {
  if (ASCII.test(value)) return value.toLowerCase();
  const cased = value
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(SMALL_CHEROKEE, (letter) => letter.toUpperCase());
  return withoutDots(cased).normalize('NFC');
};

/** Letters that are others with a stroke, or two in one: Unicode does not take them apart. */
const LETTERS: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd', æ: 'ae', œ: 'oe', þ: 'th', ð: 'd' };
const APART = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/**
 * A letter of the scripts whose marks are accents, points or vowel signs that writers leave out, with its marks. In others a mark makes another
 * letter: か and が, दल and दिल.
 */
const ACCENTED = /([\p{L}&&[\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}\p{scx=Hebrew}\p{scx=Arabic}]])\p{M}+/gv;

/** A text without case and accents: folded as `text` is, without the marks (Unicode's M) of these letters, in NFC. */
export const plain: Fold = (value) => {
  const text = foldCase(value);
  if (ASCII.test(text)) return text;
  return text
    .normalize('NFD')
    .replace(ACCENTED, '$1')
    .normalize('NFC')
    .replace(APART, (letter) => LETTERS[letter] ?? letter);
};

/** UTF-16 puts surrogates (U+10000 and above) before U+E000…U+FFFF. This puts them into the order of their code points. */
const rank = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);

/** Compares by code point. That is the order of UTF-8 bytes, and so the order of DynamoDB's sort keys. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = a.charCodeAt(i) - b.charCodeAt(i);
    if (difference !== 0) return rank(a.charCodeAt(i)) - rank(b.charCodeAt(i));
  }
  return a.length - b.length;
}
