import { expect, test } from 'vitest';
import { PRINTABLE, PRINTABLE_AND_NOT_BLANK } from '../../../schemas/limits.ts';

/** As Unicode's own data say, which the engine has: what has no glyph, or an empty one. */
const showsNothing = (character: string): boolean =>
  /[\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\u{1D159}]/u.test(character);

test('a text may have every character except control characters, and must show something where its pattern says so', () => {
  const [printable, notBlank] = [new RegExp(PRINTABLE, 'u'), new RegExp(PRINTABLE_AND_NOT_BLANK, 'u')];
  const wrong: string[] = [];
  for (let point = 0; point <= 0x10ffff; point++) {
    const character = String.fromCodePoint(point);
    const isControl = /\p{Cc}/u.test(character);
    const isRight =
      printable.test(`a${character}b`) === !isControl &&
      notBlank.test(`a${character}b`) === !isControl &&
      notBlank.test(`${character} `) === !(isControl || showsNothing(character));
    if (!isRight) wrong.push(`U+${point.toString(16)}`);
  }
  expect(wrong).toEqual([]);
});
