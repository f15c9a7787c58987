import { generateMersenne53Randomizer } from '@faker-js/faker';
import type { UserFields } from '../lib/users/user.ts';
import { people } from '../tools/samples/people.ts';
import { SEED, times } from './sample.ts';

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
