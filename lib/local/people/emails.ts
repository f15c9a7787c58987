import type { Faker } from '@faker-js/faker';
import type { Random } from './chance.ts';
import type { PersonName } from './languages.ts';
import { zipfOf } from './zipf.ts';

/** Under names that belong to nobody (RFC 2606), the most frequent one first. */
const DOMAINS = [
  'example.com',
  'mail.example',
  'example.org',
  'post.example',
  'example.net',
  'web.example',
  'uni.example',
  'office.example',
  'students.uni.example',
  'xn--bcher-kva.example',
  'MAIL.EXAMPLE',
  'a-rather-long-name-of-a-company-with-many-words.holding.example',
];

/** Addresses with letters beyond ASCII, in mixed case, and those of two people who share theirs. */
const UNICODE = 0.01;
const MIXED_CASE = 0.15;
const SHARED = 0.03;

/** Draws addresses that go with names; `n` is the number of the person. */
export function emailsOf(faker: Faker, random: Random): (person: PersonName, n: number) => string {
  const domain = zipfOf(DOMAINS, { degree: 1, offset: 1 }, random);
  const local = ({ firstName, lastName }: PersonName): string => {
    const isWord = /^[\p{L}\p{M}]{1,30}$/u.test(firstName);
    return random() < UNICODE && isWord ? firstName : faker.internet.username({ firstName, lastName });
  };
  return (person, n) => {
    const user = local(person).slice(0, 40);
    const cased = random() < MIXED_CASE ? user : user.toLowerCase();
    return `${cased}${random() < SHARED ? '' : n}@${domain()}`;
  };
}
