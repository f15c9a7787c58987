/**
 * Case folding: the form in which strings are compared, NFC and lower case independent of locale. Lower-casing alone maps Σ
 * to ς at the end of a word and to σ elsewhere, so a search for a part of a word would fail. Unicode case folding
 * (CaseFolding.txt) makes all three σ, and so does this function.
 */
export const foldCase = (value: string): string =>
  value.normalize('NFC').toLowerCase().normalize('NFC').replaceAll('ς', 'σ');

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
