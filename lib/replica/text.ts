/** Makes the form in which texts are compared. Of texts in ASCII it is that in lower case. */
export type Fold = (value: string) => string;

const ASCII = /^[\0-\x7f]*$/;

/** Small Cherokee letters, which are younger than the others: both fold to the others. */
const SMALL_CHEROKEE = /[\u13f8-\u13fd\uab70-\uabbf]/g;

/**
 * Case folding: the form in which strings are compared. Unicode's full case folding without a locale (CaseFolding.txt, C and F), then İ and
 * ı as i, then NFC. Lower-casing, upper-casing and lower-casing again is that folding, but for a final sigma, which depends on where it
 * stands, for İ and for Cherokee; a test compares the two.
 */
export const foldCase: Fold = (value) =>
  ASCII.test(value)
    ? value.toLowerCase()
    : value
        .normalize('NFC')
        .replaceAll('İ', 'i')
        .toLowerCase()
        .toUpperCase()
        .toLowerCase()
        .replaceAll('ς', 'σ')
        .replace(SMALL_CHEROKEE, (letter) => letter.toUpperCase())
        .normalize('NFC');

/** How e-mail addresses fold. */
export const foldAddress: Fold = foldCase;

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
