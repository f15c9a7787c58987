import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LISTINGS } from '../../../lib/http/listingRules.ts';
import { readIdempotencyKey } from '../../../lib/http/request/idempotencyKey.ts';
import { readOrder } from '../../../lib/http/request/sorting.ts';
import { PARAMETERS } from '../../../lib/openapi/parameters.ts';
import { PRINTABLE, PRINTABLE_AND_NOT_BLANK } from '../../../schemas/patterns.ts';
import { event } from '../../support/events.ts';

const isAccepted = (read: () => unknown): boolean => {
  try {
    read();
    return true;
  } catch {
    return false;
  }
};

const anyCase = (word: string) => fc.mixedCase(fc.constant(word));

const piece = fc.oneof(
  fc.constantFrom('id', 'name', 'firstName', 'lastName', 'createdAt', 'country', 'lastname', 'password', ''),
  fc.constantFrom(' ', '\t', '\uFEFF', ' id ', ' desc', 'asc ', 'id desc', '-id', 'lastName '),
  anyCase('asc'),
  anyCase('desc'),
  anyCase('ignorecase'),
  fc.string({ maxLength: 3 }),
);

const sortText = fc
  .tuple(fc.array(piece, { maxLength: 5 }), fc.constantFrom(',', ',', ',,', ' , '))
  .map(([pieces, comma]) => pieces.join(comma));

describe.each([
  ['/api/users and /api/users/all', PARAMETERS.Sort, LISTINGS.listUsers.sort],
  ['/api/users/search', PARAMETERS.SearchSort, LISTINGS.searchUsers.sort],
])('the pattern of sort, for %s,', (_, { schema }, rules) => {
  const pattern = new RegExp((schema as { items: { pattern: string } }).items.pattern, 'u');
  const sorts = (sort: string) =>
    isAccepted(() => readOrder(event('', { multiValueQueryStringParameters: { sort: [sort] } }), rules));

  test('matches what the service accepts, and nothing else', () => {
    const seen = { true: 0, false: 0 };
    fc.assert(
      fc.property(sortText, (sort) => {
        expect(pattern.test(sort)).toBe(sorts(sort));
        seen[`${pattern.test(sort)}`]++;
      }),
      { numRuns: 3_000 },
    );
    expect(Math.min(seen.true, seen.false)).toBeGreaterThan(100);
  });

  test('has exactly the properties of its endpoint', () => {
    for (const property of ['id', 'createdAt', 'name', 'age', 'status', 'country', 'email']) {
      expect(pattern.test(property)).toBe(rules.properties.some((name) => name === property));
    }
  });
});

describe('the pattern of Idempotency-Key', () => {
  const pattern = new RegExp((PARAMETERS.IdempotencyKey.schema as { pattern: string }).pattern, 'u');
  const takes = (key: string) =>
    isAccepted(() => readIdempotencyKey(event('', { headers: { 'idempotency-key': key } })));

  test.each([
    ['k', true],
    ['"k"', true],
    ['k'.repeat(255), true],
    [`"${'k'.repeat(255)}"`, true],
    ['"', true],
    ['"""', true],
    ['""', false],
    ['', false],
    ['k'.repeat(256), false],
    [`"${'k'.repeat(256)}"`, false],
    ['a b', false],
    ['é', false],
    ['a\u007f', false],
  ])('and the service agree about %j', (key, expected) => {
    expect({ pattern: pattern.test(key), service: takes(key) }).toEqual({ pattern: expected, service: expected });
  });

  test('matches what the service accepts, and nothing else', () => {
    const key = fc
      .array(fc.constantFrom('"', 'a', '!', '~', ' ', 'é', '\u007f', 'k'.repeat(252)), { maxLength: 6 })
      .map((letters) => letters.join(''))
      // HTTP drops white space around a field.
      .map((text) => text.trim());
    fc.assert(
      fc.property(key, (text) => {
        expect(pattern.test(text)).toBe(takes(text));
      }),
      { numRuns: 3_000 },
    );
  });
});

test('a text may have every character except control characters, and must not be blank where its pattern says so', () => {
  const [printable, notBlank] = [new RegExp(PRINTABLE, 'u'), new RegExp(PRINTABLE_AND_NOT_BLANK, 'u')];
  for (let point = 0; point <= 0x3_000; point++) {
    const character = String.fromCodePoint(point);
    const isControl = /\p{Cc}/u.test(character);
    expect(printable.test(`a${character}b`), `U+${point.toString(16)}`).toBe(!isControl);
    expect(notBlank.test(`a${character}b`)).toBe(!isControl);
    expect(notBlank.test(character)).toBe(!isControl && character.trim() !== '');
  }
});
