/** Questions that nobody chose: drawn at random from the values of the users, by kind. A seed always gives the same questions. */
import { searchSort, sort } from '../lib/http/parameters/sort.ts';
import type { Question } from './ask.ts';
import { chanceOf, keyword, POPULATION } from './population.ts';
import { SEED, times } from './sample.ts';

const ALL = sort.properties;

/** The users of a store were created at a steady rate in these days. */
const [FIRST_DAY, DAYS] = [Date.UTC(2024, 0, 1), 730];
const DAY_MS = 24 * 60 * 60 * 1_000;

const PREFIXED = ['name', 'email', 'firstName', 'lastName'] as const;

/** The filters of a range, and the property that sorts it. */
interface RangeOf {
  property: string;
  filters: string[];
}

/** Draws the parts of a query. */
function partsFrom({ random, pick }: ReturnType<typeof chanceOf>) {
  const sort = (properties: readonly string[]) => `sort=${pick(properties)}${pick(['', ',desc'])}`;
  const moment = (day: number) => new Date(FIRST_DAY + day * DAY_MS).toISOString();
  /** A range of creation times that has this share of all users. */
  const created = (share: number): RangeOf => {
    const from = random() * (1 - share) * DAYS;
    const filters = [`createdAt.gte=${moment(from)}`, `createdAt.lt=${moment(from + share * DAYS)}`];
    return { property: 'createdAt', filters };
  };
  const aged = (): RangeOf => {
    const from = 18 + Math.floor(random() * 50);
    return { property: 'age', filters: [`age.gte=${from}`, `age.lt=${from + pick([1, 5, 20])}`] };
  };
  const beginning = (): RangeOf => {
    const property = pick(PREFIXED);
    const value = [...(pick(POPULATION.people)[property] ?? 'a')].slice(0, pick([1, 2, 3])).join('');
    return { property, filters: [`${property}.startsWith=${encodeURIComponent(value)}`] };
  };
  return {
    random,
    pick,
    sort,
    created,
    range: (): RangeOf => pick([() => created(random() / 4), aged, beginning])(),
    other: (): RangeOf => pick([aged, beginning])(),
    /** Several orders of different properties. */
    sorts(properties: readonly string[], count: number): string[] {
      const left = [...properties];
      return times(count, () => sort(left.splice(Math.floor(random() * left.length), 1)));
    },
    statuses: () => {
      const left = [...POPULATION.statuses];
      return times(3, () => `status=${left.splice(Math.floor(random() * left.length), 1)}`);
    },
    status: () => `status=${pick(POPULATION.statuses)}`,
    country: () => `country=${pick(POPULATION.countries)}`,
    /** A piece of some letters of a text that somebody has. */
    piece(properties: readonly (typeof PREFIXED)[number][], lengths: readonly number[]): string {
      const letters = [...(pick(POPULATION.people)[pick(properties)] ?? 'a')];
      const start = Math.floor(random() * letters.length);
      return encodeURIComponent(letters.slice(start, start + pick(lengths)).join(''));
    },
    value: () => pick([`email=${encodeURIComponent(pick(POPULATION.emails))}`, 'age=30', 'email.missing=true']),
    letters(...lengths: number[]): string {
      const length = pick(lengths);
      let piece = '';
      while (piece.trim().length < length) piece = keyword(length, { random, pick });
      return `keyword=${encodeURIComponent(piece)}`;
    },
  };
}

type Parts = ReturnType<typeof partsFrom>;

/** One of some filters, a keyword in half of the cases, and one or two orders. */
const anything = ({ pick, letters, sorts }: Parts, filters: (() => string)[][], properties: readonly string[]) => [
  ...pick(filters).map((filter) => filter()),
  ...pick([() => [], () => [letters(1, 2, 3, 4)]])(),
  ...sorts(properties, pick([1, 2])),
];

/** How many values a filter may have, and how many words. */
const [VALUES, WORDS] = [100, 10];

/** Two of these are counted together. */
const COUNTED = [
  'status',
  'country',
  'age',
  'lastName',
  'name',
  'email',
  'email.domain',
  'createdAt.day',
  'createdAt.week',
];

const DRAWS = {
  'any list': (parts) => {
    const { status, country, value } = parts;
    return anything(parts, [[], [status], [country], [status, country], [value]], ALL);
  },
  'any search': (parts) => anything(parts, [[], [parts.status]], searchSort.properties),
  'one order': ({ sort }) => [sort(ALL)],
  'two or three orders': ({ sorts, pick }) => sorts(ALL, pick([2, 3])),
  'a status': ({ status, sort }) => [status(), sort(ALL)],
  'a status and a country': ({ status, country, sort }) => [status(), country(), sort(ALL)],
  'three statuses': ({ statuses, sort }) => [...statuses(), sort(ALL)],
  'one letter': ({ letters, sort }) => [letters(1), sort(ALL)],
  'two letters': ({ letters, sort }) => [letters(2), sort(ALL)],
  'three letters or more': ({ letters, sort }) => [letters(3, 3, 4, 5, 6), sort(ALL)],
  'letters and a status': ({ letters, status, sort }) => [letters(1, 2, 3), status(), sort(ALL)],
  'a range or a prefix': ({ range, sort }) => [...range().filters, sort(ALL)],
  'two ranges': ({ random, created, other, sort }) => {
    const [one, two] = [created(random() / 4), other()];
    return [...one.filters, ...two.filters, sort([one.property, two.property])];
  },
  'a range and a status': ({ range, status, sort }) => [...range().filters, status(), sort(ALL)],
  'one word anywhere': ({ piece, sort }) => [`q=${piece(PREFIXED, [2, 3, 5])}`, sort(ALL)],
  'two words anywhere': ({ piece, sort }) => [
    `q=${piece(PREFIXED, [2, 3, 5])}+${piece(PREFIXED, [1, 2, 3])}`,
    sort(ALL),
  ],
  'a part or an end of a text': ({ piece, pick, sort }) => [
    `${pick(PREFIXED)}.${pick(['contains', 'endsWith'])}=${piece(PREFIXED, [1, 2, 3])}`,
    sort(ALL),
  ],
  'all but some': ({ piece, pick, country, sort }) => [
    country().replace('=', '.not='),
    `${pick(PREFIXED)}.not=${piece(PREFIXED, [20])}`,
    sort(ALL),
  ],
  'a walk': (parts) => anything(parts, [[], [parts.status], [parts.country]], ALL),
  'counts of anything': ({ pick, status }) => [
    `by=${pick(COUNTED)},${pick(COUNTED)}`,
    ...pick([() => [], () => [status()]])(),
  ],
  'dear on purpose': ({ piece, sorts }) => [
    ...['name', 'email'].flatMap((field) => times(VALUES, () => `${field}.contains=${piece(PREFIXED, [1, 2])}`)),
    `q=${times(WORDS, () => piece(PREFIXED, [1])).join('+')}`,
    ...sorts(ALL, 2),
  ],
} as const satisfies Record<string, (parts: Parts) => string[]>;

export type Kind = keyof typeof DRAWS;
/** No pages. */
export const COUNTS: Kind = 'counts of anything';
/** Questions that only a test of the worst case would ask. */
export const DEAR: Kind = 'dear on purpose';
export const KINDS = Object.keys(DRAWS) as Kind[];

/** First pages and deep ones are of the same questions. Each kind has random numbers of its own. */
export function drawQuestions(kind: Kind, isDeep: boolean, count: number, seed = SEED): Question[] {
  const parts = partsFrom(chanceOf(seed * KINDS.length + KINDS.indexOf(kind)));
  const by = kind === 'any search' ? searchSort : sort;
  return times(count, () => {
    const [query, depth] = [DRAWS[kind](parts).join('&'), parts.random()];
    const asked = kind === 'a walk' ? 'walk' : kind === COUNTS ? 'counts' : 'page';
    return { kind: asked, query, by, depth: isDeep && asked !== 'counts' ? depth : 0 };
  });
}
