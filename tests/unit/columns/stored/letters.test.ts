import { expect, test } from 'vitest';
import { Texts } from '../../../../lib/columns/stored/texts.ts';
import { foldCase } from '../../../../lib/columns/values/text.ts';
import { foldAddress } from '../../../../lib/users/mailbox.ts';

/** Letters of one, two and three bytes, marks, and the ends of texts. */
const BEHIND = ['', 'b', 'é', 'Ж', 'ẞ', '\u0301', '\u0307', '\u0345'];

const NONE = Buffer.alloc(0);

test.each([foldCase, foldAddress])('texts sort as their folded forms do, whatever letters they have: %o', (fold) => {
  const letters = Array.from({ length: 0x7ff }, (_, code) => String.fromCharCode(code + 1));
  const all = letters.flatMap((letter) => BEHIND.map((behind) => `a${letter}${behind}`));
  const keys = all.map((text) => Buffer.from(fold(text)));
  const texts = new Texts(Buffer.from(`${all.join('\0')}\0`), all.length, fold);
  const wrong = all.filter((_, i) =>
    [i, i + 1, i * 7].some((k) => {
      const [own = NONE, other = NONE] = [keys[i], keys[k % all.length]];
      return Math.sign(texts.compareFolded(i, other)) !== Buffer.compare(own, other);
    }),
  );
  expect(wrong).toEqual([]);
});
