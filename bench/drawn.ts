/** Questions that nobody chose: drawn from what the users have, by kind, the same for the same seed. */
import { ANY_FIELD, LISTINGS, SEARCH_FIELDS } from '../lib/http/listingRules.ts';
import type { Question } from './catalogue.ts';
import { type Chance, chanceOf, keyword, POPULATION, SEED, times } from './sample.ts';

export const PLACES = ['first page', 'any page'] as const;
export type Place = (typeof PLACES)[number];

const ALL = ANY_FIELD.properties;
const BY_VALUE = ['status', 'country'];
/** Shorter names have no longer pieces. */
const LETTERS = [3, 3, 4, 5, 6];
/** The orders that the users of a status are not listed in. */
const OF_A_STATUS = ALL.filter((property) => !['id', 'createdAt', 'status'].includes(property));

const without = (properties: readonly string[], ...others: string[]): string[] =>
  properties.filter((property) => !others.includes(property));

/** Parts of a query. */
function partsFrom(chance: Chance) {
  const { random, pick } = chance;
  const sort = (properties: readonly string[]) => `sort=${pick(properties)}${pick(['', ',desc'])}`;
  return {
    pick,
    depth: random,
    sort,
    sorts(properties: readonly string[]): string[] {
      const first = pick(properties);
      return [sort([first]), sort(without(properties, first))];
    },
    status: () => `status=${pick(POPULATION.statuses)}`,
    country: () => `country=${pick(POPULATION.countries)}`,
    email: () => `email=${encodeURIComponent(pick(POPULATION.emails))}`,
    letters(lengths: readonly number[]): string {
      const length = pick(lengths);
      let piece = '';
      while (piece.trim().length < length) piece = keyword(length, chance);
      return `keyword=${encodeURIComponent(piece)}`;
    },
  };
}

type Parts = ReturnType<typeof partsFrom>;

/** One or two properties. */
const anySort = ({ pick, sort, sorts }: Parts, properties: readonly string[]): string[] =>
  pick([() => [sort(properties)], () => sorts(properties)])();

/** No keyword as often as one. */
const anyKeyword = ({ pick, letters }: Parts): string[] =>
  pick([() => [], () => [letters(pick([[1], [2], LETTERS]))]])();

const DRAWS = {
  'any list': (parts) => {
    const { status, country, email, pick } = parts;
    const filters = pick([() => [], () => [status()], () => [country()], () => [status(), country()], () => [email()]]);
    return [...filters(), ...anyKeyword(parts), ...anySort(parts, ALL)];
  },
  'any search': (parts) => {
    const filters = parts.pick([() => [], () => [parts.status()]]);
    return [...filters(), ...anyKeyword(parts), ...anySort(parts, SEARCH_FIELDS.properties)];
  },
  'one order': ({ sort }) => [sort(without(ALL, ...BY_VALUE))],
  'by status or country': ({ sort }) => [sort(BY_VALUE)],
  'a status, another order': ({ status, sort }) => [status(), sort(OF_A_STATUS)],
  'status and country, another order': ({ status, country, sort }) => [
    status(),
    country(),
    sort(without(OF_A_STATUS, 'country')),
  ],
  'a country, any order': ({ country, sort }) => [country(), sort(ALL)],
  'two properties': ({ sorts }) => sorts(ALL),
  '3+ letters, by last name': ({ letters, sort }) => [letters(LETTERS), sort(['lastName'])],
  '3+ letters, another order': ({ letters, sort }) => [letters(LETTERS), sort(without(ALL, 'lastName', ...BY_VALUE))],
  '3+ letters and a status': ({ letters, status, sort }) => [
    letters(LETTERS),
    status(),
    sort(without(ALL, ...BY_VALUE)),
  ],
  '2 letters': ({ letters, sort }) => [letters([2]), sort(without(ALL, ...BY_VALUE))],
  '1 letter': ({ letters, sort }) => [letters([1]), sort(without(ALL, ...BY_VALUE))],
  'letters, by status or country': ({ letters, sort }) => [letters([1, 2, ...LETTERS]), sort(BY_VALUE)],
} as const satisfies Record<string, (parts: Parts) => string[]>;

export type Kind = keyof typeof DRAWS;
export const KINDS = Object.keys(DRAWS) as Kind[];

/** The same questions for each place; with another kind come other numbers. */
export function drawQuestions(kind: Kind, place: Place, count: number, seed = SEED): Question[] {
  const parts = partsFrom(chanceOf(seed * KINDS.length + KINDS.indexOf(kind)));
  const rules = kind === 'any search' ? LISTINGS.searchUsers : LISTINGS.listUsers;
  return times(count, () => {
    const [query, depth] = [DRAWS[kind](parts).join('&'), parts.depth()];
    return { query, rules, depth: place === 'first page' ? 0 : depth };
  });
}
