import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutIntoSegments, separatorOf } from '../../../../lib/users/counts/cuts.ts';
import { ORDERED_FIELDS } from '../../../../lib/users/fields.ts';
import { exactText, orderKey, sortText } from '../../../../lib/users/keys.ts';
import { keyIn } from '../../../../lib/users/lists.ts';
import { compareCodePoints } from '../../../../lib/users/text.ts';
import { isBound } from '../../../../lib/users/tree/rows.ts';
import type { User } from '../../../../lib/users/user.ts';
import { userFields } from '../../../support/arbitraries.ts';
import { sized } from '../../../support/fake/tree.ts';
import { listBy } from '../../../support/listBy.ts';

const NAMES = listBy('name');

describe('the segments of some users of a list', () => {
  const user = (name: string, id: number): User => ({ id, version: 1, name });

  test('are cut at the shortest bound that gives a usual size: where a value or a first letter begins', () => {
    const names = [...'abcdefgh'].flatMap((letter) => Array.from({ length: 70 }, (_, i) => `${letter}${1_000 + i}`));
    const rows = cutIntoSegments(NAMES, undefined, names.map(user), 192, []);
    expect(sized(rows)).toBe('\0 140, c\u0003 140, e\u0003 140, g\u0003 140');
  });

  test('are cut into parts within the limits, however many there are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 200 }), fc.nat(), (count, most, seed) => {
        const users = Array.from({ length: count }, (_, i) =>
          user(`n${String((i * seed) % 97).padStart(2, '0')}`, i + 1),
        );
        users.sort((a, b) => compareCodePoints(keyIn(NAMES.index, a), keyIn(NAMES.index, b)));
        const sizes = cutIntoSegments(NAMES, undefined, users, most, []).map(({ counts }) => counts.get('n') ?? 0);
        expect(sizes.reduce((sum, n) => sum + n, 0)).toBe(count);
        expect(Math.max(...sizes)).toBeLessThanOrEqual(Math.max(1, Math.floor(most * 0.85)));
        if (sizes.length > 1 && most > 8) expect(Math.min(...sizes)).toBeGreaterThanOrEqual(Math.floor(most * 0.4));
      }),
    );
  });

  test('begin at no key that is too long for a node, so that one has many users instead', () => {
    const [country, alike] = ['\u{20001}'.repeat(64), '\u{20000}'.repeat(195)];
    const names = [...'abcdefgh'].map((letter) => `${alike}${letter}`);
    const users = [...names, 'x', 'y', 'z'].map((name, i) => ({ ...user(name, i + 1), country }));
    const list = listBy('name', { country });
    users.sort((a, b) => compareCodePoints(keyIn(list.index, a), keyIn(list.index, b)));
    const rows = cutIntoSegments(list, undefined, users, 2, []);
    expect(rows.map(({ counts }) => counts.get('n'))).toEqual([1, 1, 1, 8]);
    expect(rows.filter(({ key }) => !isBound(key))).toEqual([]);
  });
});

/** Few letters, so that texts are often prefixes of each other. Some have a surrogate in common. */
const fewLetters = fc.string({ unit: fc.constantFrom('a', 'b', '\uE000', '😀', '😁', '\u{10FFFF}'), maxLength: 5 });

const users: fc.Arbitrary<User> = fc
  .tuple(userFields, fc.option(fewLetters, { nil: undefined }), fc.integer({ min: 1, max: 2 ** 40 }))
  .map(([fields, letters, id]) => ({
    ...fields,
    ...(letters !== undefined && { lastName: letters }),
    ...(letters && { country: letters }),
    ...{ id, version: 1 },
  }));

/** Two different keys of one list, in order, with their texts. */
const neighbours = fc
  .tuple(fc.constantFrom(...ORDERED_FIELDS, 'lastName' as const, 'country' as const), users, users)
  .map(([property, ...both]) =>
    both
      .map((user) => ({ text: sortText(user, property), key: orderKey(sortText(user, property), user.id) }))
      .sort((a, b) => compareCodePoints(a.key, b.key)),
  )
  .filter(([a, b]) => a?.key !== b?.key);

describe('the bound between any two keys', () => {
  test('lies between them, is no longer than the key above, tells a run that has both, and with NUL begins no other key', () => {
    const pairs = fc.property(neighbours, ([below, above]) => {
      if (!below || !above) return false;
      const bound = separatorOf(below.key, above.key);
      const texts = [below, above].flatMap(({ text }) =>
        Array.from(text, (_, i) => Array.from(text).slice(0, i).join('')).concat(text),
      );
      const [folded = '', value] = above.text.split('\0');
      if (value !== undefined) texts.splice(0, Infinity, below.text, above.text, exactText(folded.slice(0, -1) || 'x'));
      expect({
        isBetween: compareCodePoints(below.key, bound) < 0 && compareCodePoints(bound, above.key) <= 0,
        isWellFormed: bound.isWellFormed(),
        isShort: bound.length <= above.key.length,
        tellsRun: below.text !== above.text || bound.startsWith(`${above.text}\0`),
        // Otherwise positions in a map would have another order than keys.
        begins: texts.filter((text) => orderKey(text, 0).startsWith(`${bound}\0`)),
      }).toEqual({ isBetween: true, isWellFormed: true, isShort: true, tellsRun: true, begins: [] });
    });
    fc.assert(pairs, { numRuns: 2_000 });
  });
});
