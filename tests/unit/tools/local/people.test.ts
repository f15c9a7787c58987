import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { people } from '../../../../bench/people.ts';
import { checkUser } from '../../../../lib/http/request/userBody.ts';
import type { UserFields } from '../../../../lib/users/user.ts';

const take = (count: number, seed = 1): UserFields[] => {
  const source = people(seed);
  return Array.from({ length: count }, () => source.next().value);
};

const USERS = take(100_000);

describe('people', () => {
  test('are the same for the same seed', () => {
    const hash = createHash('sha256')
      .update(JSON.stringify(take(1_000)))
      .digest('hex');
    expect(hash).toBe('db582ffe7d490454937e9f5ed0e3fd102125d4d3812cafc0422ad673e21707c6');
    expect(take(3, 2)).not.toEqual(take(3, 1));
  });

  test('do not depend on people of other seeds that are drawn in parallel', () => {
    const [one, other] = [people(1), people(2)];
    const users = Array.from({ length: 100 }, () => [one.next().value, other.next().value][0]);
    expect(users).toEqual(USERS.slice(0, 100));
  });

  test('are valid users', () => {
    for (const user of USERS) if (checkUser(user) !== user) throw new Error(`${user.name} was changed`);
  });

  test.each<[string, keyof UserFields, RegExp, number]>([
    ['an e-mail in mixed case', 'email', /[A-Z].*@/, 10_000],
    ['an e-mail with letters beyond ASCII', 'email', /\P{ASCII}/u, 100],
    ['an accent apart from its letter', 'lastName', /\p{M}/u, 200],
    ['an accent in NFC', 'lastName', /[áéíóúñçãößøåčšžł]/, 5_000],
    ['an ß', 'name', /ß/, 50],
    ['an İ', 'name', /İ/, 20],
    ['a final ς', 'name', /ς/, 50],
    ['a dotless ı', 'name', /ı/, 200],
    ['an apostrophe', 'lastName', /'/, 500],
    ['a typographic apostrophe', 'lastName', /’/, 200],
    ['a hyphen', 'lastName', /-/, 1_000],
    ['a space in the last name', 'lastName', / /, 5_000],
    ['a character of an astral plane', 'name', /[\u{10000}-\u{10ffff}]/u, 100],
    ['a last name of more than 150 characters', 'lastName', /.{151}/, 10],
    ['a last name in capitals', 'lastName', /^[A-Z]{4,}$/, 300],
    ['a last name without capitals', 'lastName', /^[a-z]{4,}$/, 150],
  ])('sometimes have %s', (_, field, pattern, least) => {
    expect(USERS.filter((user) => pattern.test(String(user[field] ?? ''))).length).toBeGreaterThan(least);
  });
});
