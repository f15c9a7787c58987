import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../../../lib/users/database.ts';
import { exactText, orderKey, orderText, padded } from '../../../../lib/users/keys.ts';
import { keyIn, runEnd, runStart } from '../../../../lib/users/lists.ts';
import { SIZES } from '../../../../lib/users/sizes.ts';
import { type Member, segmentsOf, separatorOf } from '../../../../lib/users/statistics/boundaries.ts';
import { COUNT } from '../../../../lib/users/statistics/members.ts';
import { WHOLE_MAP } from '../../../../lib/users/statistics/pages.ts';
import { compareCodePoints } from '../../../../lib/users/text.ts';
import type { User } from '../../../../lib/users/user.ts';
import { userFields } from '../../../support/arbitraries.ts';
import { listBy } from '../../../support/listBy.ts';

const MISSING = '\u{10FFFF}\u0002';
const TAGGED = '\u{10FFFF}\u0001';

describe('the bound between two keys', () => {
  test.each([
    ['ann', 'bob', 'b\u0003'],
    ['ann', 'annie', 'anni\u0003'],
    ['anna', 'annabel', 'annab\u0003'],
    ['', 'ann', 'a\u0003'],
    ['0000000000000007', '0000000000000019', '000000000000001\u0003'],
    ['ann\uFFFD', 'ann😀a', 'ann😀\u0003'],
    // Both begin with the same half of a pair.
    ['a😀x', 'a😁yz', 'a😁\u0003'],
    [`${TAGGED}x`, `${TAGGED}yz`, `${TAGGED}y\u0003`],
    [`${TAGGED}x`, `${TAGGED}\u{10FFFF}z`, `${TAGGED}\u{10FFFF}\u0003`],
  ])('of %j and %j is %j', (below, above, bound) => {
    expect(separatorOf(orderKey(below, 7), orderKey(above, 5))).toBe(bound);
  });

  test.each([
    ['the next user has the text of the last one and one letter more', 'ann', 'anna'],
    ['the texts differ in their last letters', 'ann', 'ano'],
    ['the next user has no value', 'zoe', MISSING],
    ['the next user has a value that begins with the last code point', 'zoe', `${TAGGED}x`],
    ['only the value of the next user is missing', `${TAGGED}x`, MISSING],
  ])('is the start of the next run if %s', (_, below, above) => {
    expect(separatorOf(orderKey(below, 7), orderKey(above, 5))).toBe(`${above}\0`);
  });

  test.each(['ann', '', MISSING, '0000000000000007'])('has the digits that differ within the run of %j', (text) => {
    expect(separatorOf(orderKey(text, 1_234), orderKey(text, 9_234))).toBe(`${text}\u00000000000000009`);
    expect(separatorOf(orderKey(text, 8), orderKey(text, 9))).toBe(`${text}\u00000000000000000009`);
  });

  test('has the digits that differ between ids', () => {
    expect(separatorOf('0000000000001234', '0000000000009234')).toBe('0000000000009');
    expect(separatorOf('0000000000001239', '0000000000001240')).toBe('000000000000124');
    expect(separatorOf('0000000000000008', '0000000000000009')).toBe('0000000000000009');
  });
});

const PROPERTIES = ['name', 'email', 'age', 'firstName', 'lastName', 'status', 'country'] as const;

/** Letters that make prefixes of each other, and pairs with equal halves. */
const fewLetters = fc.string({ unit: fc.constantFrom('a', 'b', '\uE000', '😀', '😁', '\u{10FFFF}'), maxLength: 5 });

const users: fc.Arbitrary<User> = fc
  .tuple(userFields, fc.option(fewLetters, { nil: undefined }), fc.integer({ min: 1, max: 2 ** 40 }))
  .map(([fields, letters, id]) => ({
    ...fields,
    ...(letters !== undefined && { lastName: letters }),
    ...(letters && { country: letters }),
    ...{ id, version: 1 },
  }));

/** Two different order keys of one list, in order, with their texts. */
const neighbours = fc
  .tuple(fc.constantFrom(...PROPERTIES, 'lastName' as const, 'country' as const), users, users)
  .map(([property, ...both]) =>
    both
      .map((user) => ({ text: orderText(user, property), key: orderKey(orderText(user, property), user.id) }))
      .sort((a, b) => compareCodePoints(a.key, b.key)),
  )
  .filter(([a, b]) => a?.key !== b?.key);

/** Checks a property of the bounds between many pairs of keys. */
const forBounds = (check: (bound: string, below: { text: string; key: string }, above: typeof below) => boolean) =>
  fc.assert(
    fc.property(neighbours, ([below, above]) => {
      if (!below || !above) return false;
      return check(separatorOf(below.key, above.key), below, above);
    }),
    { numRuns: 5_000 },
  );

describe('the segments of a part of a list', () => {
  const most = 8;
  const database = { sizes: { ...SIZES, segmentUsers: most } } as Database;
  const list = listBy('name');
  const letter = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  const part = fc.array(letter, { minLength: 1, maxLength: 60 }).map((names) =>
    names
      .sort()
      .map((name, i): User => ({ id: i + 1, version: 1, name }))
      .map((user) => ({ user, key: keyIn(list, user) })),
  );
  const keysOf = (members: Member[]) =>
    segmentsOf(database, { list, members, ...WHOLE_MAP }).map(({ key, counts }) => ({ key, users: counts.get(COUNT) }));

  test('have bounds in order, all users, and not many more each than is aimed at', () => {
    fc.assert(
      fc.property(part, (members) => {
        const segments = keysOf(members);
        const keys = segments.map(({ key }) => key);
        expect(keys).toEqual([...new Set(keys)].toSorted(compareCodePoints));
        expect(segments.reduce((sum, { users = 0 }) => sum + users, 0)).toBe(members.length);
        expect(Math.max(...segments.map(({ users = 0 }) => users))).toBeLessThanOrEqual(most + 2);
      }),
    );
  });

  test('have a run of one text within one of them, or begin and end with it', () => {
    fc.assert(
      fc.property(part, (members) => {
        const keys = keysOf(members).map(({ key }) => key);
        for (const name of new Set(members.map(({ user }) => user.name))) {
          const [start, end] = [runStart(list, name), runEnd(list, name)];
          const isCut = keys.some((key) => key > start && key < end);
          if (isCut) expect(keys).toEqual(expect.arrayContaining([start, end]));
        }
      }),
    );
  });
});

describe('the bound between any two keys', () => {
  test('is above the one and not above the other', () => {
    forBounds(
      (bound, below, above) =>
        compareCodePoints(below.key, bound) < 0 && compareCodePoints(bound, above.key) <= 0 && bound.isWellFormed(),
    );
  });

  test('is no longer than the other, and tells the run that both are in', () => {
    forBounds(
      (bound, below, above) =>
        bound.length <= above.key.length && (below.text !== above.text || bound.startsWith(`${above.text}\0`)),
    );
  });

  test('does not begin another key together with NUL, so that positions in a map are in the order of keys', () => {
    forBounds((bound, below, above) => {
      const texts = [below, above].flatMap(({ text }) =>
        Array.from(text, (_, i) => Array.from(text).slice(0, i).join('')).concat(text),
      );
      const [folded = '', value] = above.text.split('\0');
      if (value !== undefined) texts.splice(0, Infinity, below.text, above.text, exactText(folded.slice(0, -1) || 'x'));
      return !texts.some((text) => orderKey(text, 0).startsWith(`${bound}\0`));
    });
  });

  test('is above the one id and not above the other', () => {
    const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(id, fc.oneof(id, fc.integer({ min: 1, max: 99 })), (below, more) => {
        const above = Math.min(Number.MAX_SAFE_INTEGER, below + more);
        fc.pre(above > below);
        const bound = separatorOf(padded(below), padded(above));
        return padded(below) < bound && bound <= padded(above);
      }),
    );
  });
});
