import { memoized } from '../../memoized.ts';

/**
 * Where each stretch of code points ends, and the sign of its script; none for what texts of several scripts have. Signs are
 * stored: they must not depend on what a runtime knows of Unicode. `x` stands for all other scripts together.
 */
const STRETCHES: readonly (readonly [end: number, sign: string])[] = [
  [0x61, ''],
  [0x7b, 'latin'],
  [0xc0, ''],
  [0x250, 'latin'],
  [0x300, 'x'],
  [0x370, ''],
  [0x400, 'greek'],
  [0x530, 'cyrillic'],
  [0x600, 'x'],
  [0x780, 'arabic'],
  [0x900, 'x'],
  [0xe00, 'indic'],
  [0xe80, 'thai'],
  [0x1e00, 'x'],
  [0x1f00, 'latin'],
  [0x2000, 'greek'],
  [0x3040, 'x'],
  [0x3100, 'kana'],
  [0x3400, 'x'],
  [0xa000, 'han'],
  [0xac00, 'x'],
  [0xd7b0, 'hangul'],
  [Number.POSITIVE_INFINITY, 'x'],
];

const signOf = (character: string): string => {
  const codePoint = character.codePointAt(0) ?? 0;
  return STRETCHES.find(([end]) => codePoint < end)?.[1] ?? '';
};

/** The scripts of the letters in a case-folded text, in order. A text that contains another has all its scripts. */
export const scriptsIn = memoized((text: string): readonly string[] =>
  [...new Set(Array.from(text, signOf))].filter((sign) => sign !== '').sort(),
);
