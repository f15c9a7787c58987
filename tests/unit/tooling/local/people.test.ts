import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkUser } from '../../../../lib/http/request/userBody.ts';
import { people } from '../../../../lib/tooling/local/people.ts';
import type { UserFields } from '../../../../lib/users/user.ts';

const take = (count: number, seed = 1): UserFields[] => {
  const source = people(seed);
  return Array.from({ length: count }, () => source.next().value);
};

const USERS = take(100_000);
const FIRST = USERS.slice(0, 20_000);

const shareOf = (users: UserFields[], holds: (user: UserFields) => boolean): number =>
  (100 * users.filter(holds).length) / users.length;

const missing = (field: keyof UserFields): number => shareOf(USERS, (user) => user[field] === undefined);

const distinct = (users: UserFields[], field: 'lastName' | 'country'): number =>
  new Set(users.map((user) => user[field]).filter((value) => value !== undefined)).size;

const countryShare = (code: string): number => shareOf(USERS, ({ country }) => country === code);

const count = (holds: (user: UserFields) => boolean): number => USERS.filter(holds).length;

/** The percentage of users of a country with a last name in a script. */
const inScript = (code: string, script: RegExp): number =>
  shareOf(
    USERS.filter(({ country, lastName }) => country === code && lastName !== undefined),
    ({ lastName }) => script.test(lastName ?? ''),
  );

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
    const refused = USERS.filter((user) => {
      try {
        return checkUser(user) !== user;
      } catch {
        return true;
      }
    });
    expect(refused).toEqual([]);
  });

  test('live in nearly every country, most of them in few', () => {
    expect(distinct(FIRST, 'country')).toBeGreaterThanOrEqual(235);
    expect(distinct(USERS, 'country')).toBe(242);
    expect(countryShare('US')).toBeCloseTo(16.5, 0);
    expect(countryShare('DE')).toBeCloseTo(10.7, 0);
    expect(countryShare('GR')).toBeLessThan(1);
    expect(countryShare('IM')).toBeLessThan(0.05);
    expect(countryShare('IM')).toBeGreaterThan(0);
  });

  test('have last names that are mostly rare', () => {
    expect(distinct(FIRST, 'lastName')).toBeGreaterThan(9_500);
    expect(distinct(FIRST, 'lastName')).toBeLessThan(10_500);
    expect(distinct(USERS, 'lastName')).toBeGreaterThan(32_000);
    expect(distinct(USERS, 'lastName')).toBeLessThan(36_000);
    const smiths = count(({ lastName }) => lastName === 'Smith');
    expect(smiths).toBeGreaterThan(600);
    expect(smiths).toBeLessThan(1_000);
  });

  test.each([
    ['ski', 500, 1_500],
    ['mann', 500, 1_500],
    ['ova', 250, 800],
    ['q', 500, 1_500],
  ])('have last names with "%s"', (keyword, least, most) => {
    const found = count(({ lastName }) => lastName?.toLowerCase().includes(keyword) === true);
    expect(found).toBeGreaterThan(least);
    expect(found).toBeLessThan(most);
  });

  test.each([
    ['email', 10],
    ['age', 15],
    ['firstName', 5],
    ['lastName', 3],
    ['country', 4],
    ['status', 4],
  ] as const)('lack %s in %d of a hundred cases', (field, share) => {
    expect(Math.abs(missing(field) - share)).toBeLessThan(0.4);
  });

  test.each([
    ['active', 64],
    ['inactive', 16],
    ['pending', 10],
    ['suspended', 4],
    ['archived', 2],
  ])('are %s in %d percent of cases', (status, share) => {
    expect(Math.abs(shareOf(USERS, (user) => user.status === status) - share)).toBeLessThan(0.5);
  });

  test('have no other status', () => {
    const statuses = new Set(USERS.map(({ status }) => status));
    expect(statuses).toEqual(new Set(['active', 'inactive', 'pending', 'suspended', 'archived', undefined]));
  });

  test.each([
    ['RU', /\p{Script=Cyrillic}/u],
    ['GR', /\p{Script=Greek}/u],
    ['JP', /\p{Script=Han}/u],
    ['KR', /\p{Script=Hangul}/u],
    ['EG', /\p{Script=Arabic}/u],
    ['IL', /\p{Script=Hebrew}/u],
    ['TH', /\p{Script=Thai}/u],
    ['GE', /\p{Script=Georgian}/u],
    ['FR', /\p{Script=Latin}/u],
  ])('of %s mostly have names in the script %s', (country, script) => {
    const share = inScript(country, script);
    expect(share).toBeGreaterThan(65);
    expect(share).toBeLessThan(100);
    expect(inScript('US', script)).not.toBeCloseTo(share, 0);
  });

  test.each<[string, (user: UserFields) => boolean, number]>([
    ['an e-mail in mixed case', ({ email }) => /[A-Z].*@/.test(email ?? ''), 10_000],
    ['an e-mail with letters beyond ASCII', ({ email }) => /\P{ASCII}/u.test(email ?? ''), 100],
    ['a last name that is not in NFC', ({ lastName = '' }) => lastName !== lastName.normalize('NFC'), 200],
    ['an accent in NFC', ({ lastName = '' }) => /[áéíóúñçãößøåčšžł]/.test(lastName), 5_000],
    ['an ß', ({ name }) => name.includes('ß'), 50],
    ['an İ', ({ name }) => name.includes('İ'), 20],
    ['a final ς', ({ name }) => name.includes('ς'), 50],
    ['a dotless ı', ({ name }) => name.includes('ı'), 200],
    ['an apostrophe', ({ lastName = '' }) => lastName.includes("'"), 500],
    ['a typographic apostrophe', ({ lastName = '' }) => lastName.includes('’'), 200],
    ['a hyphen', ({ lastName = '' }) => lastName.includes('-'), 1_000],
    ['a space in the last name', ({ lastName = '' }) => lastName.includes(' '), 5_000],
    ['a character of an astral plane', ({ name }) => /[\u{10000}-\u{10ffff}]/u.test(name), 100],
    ['a last name of more than 150 characters', ({ lastName = '' }) => lastName.length > 150, 10],
    ['a last name in capitals', ({ lastName = '' }) => /^[A-Z]{4,}$/.test(lastName), 300],
    ['a last name without capitals', ({ lastName = '' }) => /^[a-z]{4,}$/.test(lastName), 150],
  ])('sometimes have %s', (_, holds, least) => {
    expect(count(holds)).toBeGreaterThan(least);
  });

  test('sometimes share an e-mail, ignoring case', () => {
    const emails = USERS.flatMap(({ email }) => email?.toLowerCase() ?? []);
    const shared = emails.length - new Set(emails).size;
    expect(shared).toBeGreaterThan(5);
    expect(shared).toBeLessThan(1_000);
  });

  test('take 150 bytes each, and never more than 2,000', () => {
    const sizes = USERS.map((user) => Buffer.byteLength(JSON.stringify(user)));
    expect(sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toBeCloseTo(150, -1);
    expect(Math.max(...sizes.slice(0, 50_000), ...sizes.slice(50_000))).toBeLessThan(2_000);
  });
});
