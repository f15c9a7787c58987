import type { Faker } from '@faker-js/faker';
import { type Random, zipfOf } from './draw.ts';
import type { PersonName } from './names.ts';

/** Domains that belong to nobody (RFC 2606), the most frequent first. */
const DOMAINS =
  'example.com mail.example example.org post.example example.net web.example uni.example office.example students.uni.example xn--bcher-kva.example MAIL.EXAMPLE a-rather-long-name-of-a-company-with-many-words.holding.example'.split(
    ' ',
  );

/** The shares of addresses with letters beyond ASCII, in mixed case, and shared by a family. */
const UNICODE = 0.01;
const MIXED_CASE = 0.15;
const SHARED = 0.01;

/** The longest name in an address, in characters; RFC 5321 allows 64 octets before the `@`. */
const LONGEST = 40;

/** The service takes no letters beyond the Basic Multilingual Plane in addresses. */
const WORD = /^(?:(?![\u{10000}-\u{10ffff}])[\p{L}\p{M}]){1,30}$/u;

const familyOf = ({ lastName }: PersonName): string =>
  lastName
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .slice(0, LONGEST) || 'family';

/** Draws addresses that fit names. `n` is the number of the person. */
export function emailsOf(faker: Faker, random: Random): (person: PersonName, n: number) => string {
  const domain = zipfOf(DOMAINS, { degree: 1, offset: 1 }, random);
  const own = ({ firstName, lastName }: PersonName): string => {
    const user =
      random() < UNICODE && WORD.test(firstName) ? firstName : faker.internet.username({ firstName, lastName });
    return user.slice(0, LONGEST);
  };
  return (person, n) => {
    const user = random() < SHARED ? familyOf(person) : `${own(person)}${n}`;
    return `${random() < MIXED_CASE ? user : user.toLowerCase()}@${domain()}`;
  };
}
