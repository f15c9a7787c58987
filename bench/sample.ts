import { generateMersenne53Randomizer } from '@faker-js/faker';
import type { LISTINGS } from '../lib/http/listingRules.ts';
import { people } from './people.ts';

export const SEED = 1;
export const PAGE_SIZE = 20;

const PEOPLE = 1_000;
const COUNTRIES = 8;

/** A request for a page, a batch after a cursor, a user, a list that has not changed, the users of a page by their ids, or counts. */
export interface Question {
  kind?: 'page' | 'cursor' | 'get' | 'unchanged' | 'ids' | 'counts';
  query: string;
  /** The rules of the endpoint: `GET /api/users`, unless told. */
  rules?: (typeof LISTINGS)['listUsers' | 'searchUsers'];
  /** Where the page is in the list: from 0, the first page, to 1, the last. The first page unless told. */
  depth?: number;
}

export interface Chance {
  random(): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** The same numbers in every run. */
export function chanceOf(seed: number): Chance {
  const randomizer = generateMersenne53Randomizer(seed);
  const random = () => randomizer.next();
  return {
    random,
    pick: (items) => {
      const item = items[Math.floor(random() * items.length)];
      if (item === undefined) throw new Error('There is nothing to pick from');
      return item;
    },
  };
}

const chance = chanceOf(SEED);
export const { random, pick } = chance;

export const times = <Item>(count: number, draw: () => Item): Item[] => Array.from({ length: count }, draw);

/** The number of the page at a depth from 0 (the first) to 1 (the last) of a list of so many users. */
export function pageAt(depth: number, total: number): number {
  const pages = Math.ceil(total / PAGE_SIZE);
  return Math.max(0, Math.min(pages - 1, Math.floor(depth * pages)));
}

function mostFrequentFirst(values: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([value]) => value);
}

/** The first of the people with whom every store is filled. */
const drawn = (() => {
  const source = people(SEED);
  return times(PEOPLE, () => source.next().value);
})();

const valuesOf = (field: 'email' | 'lastName' | 'country'): string[] => drawn.flatMap((user) => user[field] ?? []);

/** Their values. Each value occurs as often as it has users. */
export const POPULATION = {
  statuses: ['active', 'inactive', 'pending', 'suspended', 'archived'],
  countries: valuesOf('country'),
  emails: valuesOf('email'),
  lastNames: valuesOf('lastName'),
  people: drawn,
};

const LETTERS = POPULATION.lastNames.map((name) => [...name]);

/** A piece of a random last name, so that frequent pieces are drawn often. */
export function keyword(length: number, { random, pick }: Chance = chance): string {
  const letters = pick(LETTERS.filter((name) => name.length >= length));
  const start = Math.floor(random() * (letters.length - length + 1));
  return letters.slice(start, start + length).join('');
}

const countries = mostFrequentFirst(POPULATION.countries);

/** Values for requests. */
export const SAMPLE = {
  /** Countries from the largest down to small ones. */
  countries: Array.from(
    { length: COUNTRIES },
    (_, i) => countries[Math.floor((i / COUNTRIES) ** 2 * countries.length)] ?? '',
  ),
  emails: times(20, () => pick(POPULATION.emails)),
  commonLastName: mostFrequentFirst(POPULATION.lastNames)[0] ?? '',
};
