import { generateMersenne53Randomizer } from '@faker-js/faker';
import { people } from '../lib/tooling/local/people.ts';

export const SEED = 1;

const PEOPLE = 1_000;
const STATUSES = ['active', 'inactive', 'pending', 'suspended', 'archived'];
const COUNTRIES = 8;

const randomizer = generateMersenne53Randomizer(SEED);

/** The same numbers in every run. */
export const random = (): number => randomizer.next();

export const pick = <Item>(items: readonly Item[]): Item => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to pick from');
  return item;
};

export const times = <Item>(count: number, draw: () => Item): Item[] => Array.from({ length: count }, draw);

function mostFrequentFirst(values: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([value]) => value);
}

/** The first of the people that every store is filled with. */
const drawn = (() => {
  const source = people(SEED);
  return times(PEOPLE, () => source.next().value);
})();

const valuesOf = (field: 'email' | 'lastName' | 'country'): string[] => drawn.flatMap((user) => user[field] ?? []);

const countries = mostFrequentFirst(valuesOf('country'));
const lastNames = valuesOf('lastName');

/** A piece of somebody's last name, so that pieces that many names have come often. */
function keyword(length: number): string {
  const letters = [...pick(lastNames.filter((name) => [...name].length >= length))];
  const start = Math.floor(random() * (letters.length - length + 1));
  return letters.slice(start, start + length).join('');
}

const distinctKeywords = (count: number, lengths: readonly number[]): string[] => [
  ...new Set(times(count, () => keyword(pick(lengths)))),
];

/** What requests are made of. */
export const SAMPLE = {
  statuses: STATUSES,
  /** The largest, and others down to the smallest. */
  countries: Array.from(
    { length: COUNTRIES },
    (_, i) => countries[Math.floor((i / COUNTRIES) ** 2 * countries.length)] ?? '',
  ),
  emails: times(20, () => pick(valuesOf('email'))),
  commonLastName: mostFrequentFirst(lastNames)[0] ?? '',
  oneLetter: ['a', 'e', 'n', ...distinctKeywords(5, [1])],
  twoLetters: ['an', 'er', ...distinctKeywords(8, [2])],
  longer: ['son', 'ski', 'mann', ...distinctKeywords(21, [3, 3, 4, 5, 6])],
};
