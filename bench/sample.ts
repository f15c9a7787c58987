import { generateMersenne53Randomizer } from '@faker-js/faker';
import type { UserFields } from '../lib/users/user.ts';
import { people } from './people.ts';

export const SEED = 1;
export const PAGE_SIZE = 20;

const PEOPLE = 1_000;

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

export const times = <Item = number>(count: number, draw: (i: number) => Item = (i) => i as Item): Item[] =>
  Array.from({ length: count }, (_, i) => draw(i));

/** Who is written to before questions are asked: the share from which on users are merged, but for one user. */
const CHANGED = 0.05;

/** The rows of these users: evenly among so many. */
export function rowsToChange(users: number): number[] {
  const count = Math.max(1, Math.round(users * CHANGED) - 1);
  return times(count, (i) => Math.floor(((i + 0.5) * users) / count));
}

/** The number of the page at a depth from 0 (the first) to 1 (the last) of a list of so many users. */
export function pageAt(depth: number, total: number): number {
  const pages = Math.ceil(total / PAGE_SIZE);
  return Math.max(0, Math.min(pages - 1, Math.floor(depth * pages)));
}

/** Users who are like the users of the store, and not in it. */
export function newcomers(seed = SEED + 1): () => UserFields {
  const source = people(seed);
  return () => source.next().value;
}

/** The first of the people with whom every store is filled. */
const drawn = times(PEOPLE, newcomers(SEED));

const valuesOf = (field: 'email' | 'lastName' | 'country'): string[] => drawn.flatMap((user) => user[field] ?? []);

/** Their values. Each value occurs as often as it has users. */
export const POPULATION = {
  statuses: ['active', 'inactive', 'pending', 'suspended', 'archived'],
  countries: valuesOf('country'),
  emails: valuesOf('email'),
  people: drawn,
};

const LETTERS = valuesOf('lastName').map((name) => [...name]);

/** A piece of a random last name, so that frequent pieces are drawn often. */
export function keyword(length: number, { random, pick }: Chance): string {
  const letters = pick(LETTERS.filter((name) => name.length >= length));
  const start = Math.floor(random() * (letters.length - length + 1));
  return letters.slice(start, start + length).join('');
}
