import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LISTINGS } from '../../../lib/http/listingRules.ts';
import { parseMoment } from '../../../lib/http/request/moments.ts';
import { readOrder } from '../../../lib/http/request/sorting.ts';
import { moment } from '../../../lib/openapi/moment.ts';
import { PARAMETERS } from '../../../lib/openapi/parameters.ts';
import { PRINTABLE, PRINTABLE_AND_NOT_BLANK } from '../../../schemas/limits.ts';
import { event } from '../../support/events.ts';

const isAccepted = (read: () => unknown): boolean => {
  try {
    read();
    return true;
  } catch {
    return false;
  }
};

/** Compares a pattern with the service, for texts of which it accepts some and refuses others. */
function expectSame(pattern: string, accepts: (text: string) => boolean, texts: fc.Arbitrary<string>): void {
  const matches = new RegExp(pattern, 'u');
  const seen = { true: 0, false: 0 };
  fc.assert(
    fc.property(texts, (text) => {
      const isMatch = matches.test(text);
      seen[`${isMatch}`]++;
      expect(isMatch).toBe(accepts(text));
    }),
    { numRuns: 3_000 },
  );
  expect(Math.min(seen.true, seen.false)).toBeGreaterThan(100);
}

const anyCase = (word: string) => fc.mixedCase(fc.constant(word));

const piece = fc.oneof(
  fc.constantFrom('id', 'name', 'firstName', 'lastName', 'createdAt', 'country', 'lastname', 'password', ''),
  fc.constantFrom(' ', '\t', '\uFEFF', ' id ', ' desc', 'asc ', 'id desc', '-id', 'lastName ', 'age', 'email'),
  ...['asc', 'desc', 'ignorecase'].map(anyCase),
  fc.string({ maxLength: 3 }),
);

const sortText = fc
  .tuple(fc.array(piece, { maxLength: 5 }), fc.constantFrom(',', ',', ',,', ' , '))
  .map(([pieces, comma]) => pieces.join(comma));

test.each([
  ['/api/users', PARAMETERS.Sort, LISTINGS.listUsers.sort],
  ['/api/users/search', PARAMETERS.SearchSort, LISTINGS.searchUsers.sort],
])('the pattern of sort matches what %s accepts, and nothing else', (_, { schema }, rules) => {
  const sorts = (sort: string) =>
    isAccepted(() => readOrder(event('', { multiValueQueryStringParameters: { sort: [sort] } }), rules));
  expectSame((schema as { items: { pattern: string } }).items.pattern, sorts, sortText);
});

test('the pattern of a moment matches what the service reads as one, and nothing', () => {
  const digits = (most: number) => fc.integer({ min: 0, max: most }).map((number) => String(number).padStart(2, '0'));
  const year = fc.constantFrom('0000', '1900', '1999', '2000', '2024', '2026', '2096', '2100');
  const day = fc.tuple(year, digits(13), digits(32)).map((parts) => parts.join('-'));
  const zone = fc.oneof(
    fc.constantFrom('Z', 'z', '', '+0200', ' 02:00'),
    fc
      .tuple(fc.constantFrom('+', '-'), digits(24), digits(60))
      .map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`),
  );
  const clock = fc.tuple(digits(24), digits(60), digits(60)).map((parts) => parts.join(':'));
  const time = fc
    .tuple(fc.constantFrom('T', 't', ' '), clock, fc.constantFrom('', '.', '.5', '.123456'), zone)
    .map((parts) => parts.join(''));
  const text = fc.oneof(
    day,
    fc.tuple(day, time).map((parts) => parts.join('')),
    fc.constant(''),
  );
  expectSame(moment.pattern, (value) => value === '' || parseMoment(value) !== undefined, text);
});

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
