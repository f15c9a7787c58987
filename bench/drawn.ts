/** Questions that nobody chose: drawn at random from the values of the users, by kind. A seed always gives the same questions. */
import { ANY_FIELD, LISTINGS, SEARCH_FIELDS } from '../lib/http/listingRules.ts';
import { type Chance, chanceOf, keyword, POPULATION, type Question, SEED, times } from './sample.ts';

export const PLACES = ['first page', 'any page'] as const;
export type Place = (typeof PLACES)[number];

const ALL = ANY_FIELD.properties;
const BY_VALUE = ['status', 'country'];
/** The lengths of keywords with three letters or more. */
const LETTERS = [3, 3, 4, 5, 6];
/** The orders in which no list has the users of a status. */
const OF_A_STATUS = ALL.filter((property) => !['id', 'createdAt', 'status'].includes(property));

const without = (properties: readonly string[], ...others: string[]): string[] =>
  properties.filter((property) => !others.includes(property));

/** The users of a store were created at a steady rate in these days. */
const [FIRST_DAY, DAYS] = [Date.UTC(2024, 0, 1), 730];
const DAY_MS = 24 * 60 * 60 * 1_000;

const PREFIXED = ['name', 'email', 'firstName', 'lastName'] as const;

/** The filters of a range, and the property that sorts it. */
interface RangeOf {
  property: string;
  filters: string[];
}

/** Draws the parts of a query. @param users the number of users in the store */
function partsFrom(chance: Chance, users: number) {
  const { random, pick } = chance;
  const sort = (properties: readonly string[]) => `sort=${pick(properties)}${pick(['', ',desc'])}`;
  const moment = (day: number) => new Date(FIRST_DAY + day * DAY_MS).toISOString();
  /** A range of creation times that has this share of all users. */
  const created = (share: number): RangeOf => {
    const from = random() * (1 - share) * DAYS;
    const filters = [`createdAt.gte=${moment(from)}`, `createdAt.lt=${moment(from + share * DAYS)}`];
    return { property: 'createdAt', filters };
  };
  const aged = (years: number): RangeOf => {
    const from = 18 + Math.floor(random() * 50);
    return { property: 'age', filters: [`age.gte=${from}`, `age.lt=${from + years}`] };
  };
  const beginning = (): RangeOf => {
    const property = pick(PREFIXED);
    const value = [...(pick(POPULATION.people)[property] ?? 'a')].slice(0, pick([1, 2, 3])).join('');
    return { property, filters: [`${property}.startsWith=${encodeURIComponent(value)}`] };
  };
  return {
    pick,
    created,
    few: () => created(Math.min(1, 1_000 / users)),
    range: (): RangeOf => pick([() => created(random() / 4), () => aged(pick([1, 5, 20])), beginning])(),
    beginning,
    aged,
    statuses: () => {
      const left = [...POPULATION.statuses];
      return times(3, () => `status=${left.splice(Math.floor(random() * left.length), 1)}`);
    },
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

/** A keyword in half of the cases. */
const anyKeyword = ({ pick, letters }: Parts): string[] =>
  pick([() => [], () => [letters(pick([[1], [2], LETTERS]))]])();

const DRAWS = {
  'any list': (parts) => {
    const { status, country, pick } = parts;
    const one = () => [pick([parts.email(), 'age=30', `${pick(['email', 'age', 'status'])}.missing=true`])];
    const filters = pick([() => [], () => [status()], () => [country()], () => [status(), country()], one]);
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
  'a range, its own order': ({ range, sort }) => {
    const { property, filters } = range();
    return [...filters, sort(property === 'createdAt' ? ['createdAt', 'id'] : [property])];
  },
  'a range in a country, its own order': ({ range, country, sort }) => {
    const { property, filters } = range();
    return [...filters, country(), sort([property])];
  },
  'a range of 1,000 users, another order': ({ few, sort }) => [...few().filters, sort(without(ALL, 'id', 'createdAt'))],
  'half of all users, another order': ({ created, sort }) => [
    ...created(0.5).filters,
    sort(without(ALL, 'id', 'createdAt')),
  ],
  'two ranges, the order of one': ({ pick, depth, created, aged, beginning, sort }) => {
    const [one, other] = [created(depth() / 10), pick([() => aged(pick([1, 5, 20])), beginning])()];
    return [...one.filters, ...other.filters, sort([one.property, other.property])];
  },
  'a range and a status, its order': ({ range, status, sort }) => {
    const { property, filters } = range();
    return [...filters, status(), sort([property])];
  },
  'three statuses, by id': ({ statuses, sort }) => [...statuses(), sort(['id'])],
  'three statuses, another order': ({ statuses, sort }) => [...statuses(), sort(OF_A_STATUS)],
} as const satisfies Record<string, (parts: Parts) => string[]>;

export type Kind = keyof typeof DRAWS;
export const KINDS = Object.keys(DRAWS) as Kind[];

export interface DrawOptions {
  seed?: number;
  /** The number of users in the store. */
  users?: number;
}

/** The first page and any page have the same questions. Each kind has random numbers of its own. */
export function drawQuestions(
  kind: Kind,
  place: Place,
  count: number,
  { seed = SEED, users = 100_000 }: DrawOptions = {},
): Question[] {
  const parts = partsFrom(chanceOf(seed * KINDS.length + KINDS.indexOf(kind)), users);
  const rules = kind === 'any search' ? LISTINGS.searchUsers : LISTINGS.listUsers;
  return times(count, () => {
    const [query, depth] = [DRAWS[kind](parts).join('&'), parts.depth()];
    return { query, rules, depth: place === 'first page' ? 0 : depth };
  });
}
