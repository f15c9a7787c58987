import { expect, test } from 'vitest';
import { PRINTABLE, PRINTABLE_AND_NOT_BLANK } from '../../../schemas/limits.ts';

/** As Unicode's own data say, which the engine has: what has no glyph, or an empty one. */
const showsNothing = (character: string): boolean =>
  /[\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\u{1D159}]/u.test(character);

test('a text may have every character except control characters, and must show something where its pattern says so', () => {
  const [printable, notBlank] = [new RegExp(PRINTABLE, 'u'), new RegExp(PRINTABLE_AND_NOT_BLANK, 'u')];
  const all = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point));
  const [controls, others] = [true, false].map((is) => all.filter((character) => /\p{Cc}/u.test(character) === is));
  for (const pattern of [printable, notBlank]) {
    expect(controls?.filter((character) => pattern.test(`a${character}b`))).toEqual([]);
    // A space keeps surrogates apart.
    expect(pattern.test(others?.join(' ') ?? '')).toBe(true);
  }
  expect(others?.filter((character) => notBlank.test(`${character} `) === showsNothing(character))).toEqual([]);
});
