/**
 * The form in which strings are compared: NFC, lower case independent of locale. Lower-casing alone would map Σ to ς at
 * the end of a word and to σ elsewhere, so that a piece of a word would not be found in it; Unicode case folding
 * (CaseFolding.txt) makes all three σ, and so does this.
 */
export const fold = (value: string): string =>
  value.normalize('NFC').toLowerCase().normalize('NFC').replaceAll('ς', 'σ');

/** UTF-16 puts surrogates (U+10000 and above) before U+E000…U+FFFF; this lifts them to where their code points are. */
const rank = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);

/** Compares by code point, which is the order of UTF-8 bytes and so the order of DynamoDB's sort keys. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = a.charCodeAt(i) - b.charCodeAt(i);
    if (difference !== 0) return rank(a.charCodeAt(i)) - rank(b.charCodeAt(i));
  }
  return a.length - b.length;
}
