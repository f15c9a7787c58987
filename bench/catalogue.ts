import type { Target } from './figures.ts';
import { pick, random, SAMPLE, times } from './sample.ts';

/** A request for a page, or for one of the other things that are read. */
export interface Question {
  kind?: 'page' | 'cursor' | 'get' | 'unchanged';
  query: string;
  /** Where in the list the page is, from 0 (the first page, unless told) to 1 (the last). */
  depth?: number;
}

/** Requests of one kind, and what they should cost in read units. */
export interface Row {
  title: string;
  target: Target;
  /** In calls one after another. */
  steps?: Target;
  questions: Question[];
}

const DEPTHS = 4;

const bothWays = (properties: readonly string[]): string[] =>
  properties.flatMap((property) => [`sort=${property}`, `sort=${property},desc`]);

const FIELDS = ['name', 'email', 'age', 'firstName', 'lastName'];
const OTHER_ORDERS = bothWays(FIELDS);
const PLAIN_ORDERS = bothWays(['id', 'createdAt', ...FIELDS]);
const BY_VALUE = bothWays(['status', 'country']);
const PROPERTIES = ['id', 'createdAt', ...FIELDS, 'status', 'country'];
const TWO_SORTS = bothWays(PROPERTIES).flatMap((first) =>
  PROPERTIES.filter((second) => !first.startsWith(`sort=${second}`)).map((second) => `${first}&sort=${second}`),
);

const STATUSES = SAMPLE.statuses.map((status) => `status=${status}`);
const COUNTRIES = SAMPLE.countries.map((country) => `country=${country}`);
const BOTH = COUNTRIES.map((country) => `${pick(STATUSES)}&${country}`);
const EMAILS = SAMPLE.emails.map((email) => `email=${encodeURIComponent(email)}`);

/** All of some with all of others. */
const combine = (first: readonly string[], second: readonly string[]): string[] =>
  first.flatMap((a) => second.map((b) => `${a}&${b}`));

const firstPages = (queries: readonly string[]): Question[] => queries.map((query) => ({ query }));
const lastPages = (queries: readonly string[]): Question[] => queries.map((query) => ({ query, depth: 1 }));
const deepPages = (queries: readonly string[]): Question[] =>
  queries.flatMap((query) => times(DEPTHS, () => ({ query, depth: random() })));

const keywordsOf = (words: readonly string[]): string[] => words.map((word) => `keyword=${encodeURIComponent(word)}`);

/** Each with some of others, in turn. */
const withSome = (queries: readonly string[], others: readonly string[], each = 3): string[] =>
  queries.flatMap((query) => times(each, () => `${query}&${pick(others)}`));

const DEEP = deepPages([
  ...PLAIN_ORDERS,
  ...BY_VALUE,
  ...combine(COUNTRIES.slice(0, 4), [...PLAIN_ORDERS, ...bothWays(['status'])]),
  ...STATUSES,
  ...combine(STATUSES, ['sort=createdAt,desc']),
  ...BOTH,
  ...EMAILS.slice(0, 5),
]);

export const LISTS: Row[] = [
  {
    title: 'first page, any single order but status and country',
    target: { most: 3 },
    questions: firstPages(PLAIN_ORDERS),
  },
  { title: 'last page, the same', target: { most: 3 }, questions: lastPages(PLAIN_ORDERS) },
  {
    title: 'first and last page by status or country',
    target: { most: 5 },
    questions: [...firstPages(BY_VALUE), ...lastPages(BY_VALUE)],
  },
  {
    title: 'first page under a status, a country or both',
    target: { most: 4.5 },
    questions: firstPages([...STATUSES, ...COUNTRIES, ...BOTH]),
  },
  {
    title: 'first page of a country, any order',
    target: { most: 4.5 },
    questions: firstPages(combine(COUNTRIES, [...PLAIN_ORDERS, ...BY_VALUE])),
  },
  { title: 'an e-mail', target: { most: 4.5 }, questions: firstPages(EMAILS) },
  {
    title: 'a batch after a cursor',
    target: { most: 2 },
    questions: times(20, () => ({ kind: 'cursor', query: '', depth: random() })),
  },
  {
    title: 'a user by id',
    target: { most: 1 },
    questions: times(20, () => ({ kind: 'get', query: '', depth: random() })),
  },
  {
    title: 'a list that has not changed (304)',
    target: { most: 1 },
    questions: ['', 'sort=name', 'keyword=a'].map((query) => ({ kind: 'unchanged', query })),
  },
];

export const DEPTH: Row[] = [
  {
    title: 'any page: of all, a country, a status, both, an e-mail; in any order there is a list for',
    target: { median: 9, most: 12 },
    steps: { most: 5 },
    questions: DEEP,
  },
  {
    title: 'first page of a status, or of both filters, in another order',
    target: { median: 8, most: 40 },
    questions: firstPages(combine([...STATUSES, ...BOTH], OTHER_ORDERS)),
  },
  {
    title: 'first page by two properties',
    target: { median: 10, most: 60 },
    questions: firstPages(TWO_SORTS),
  },
];

const [ONE, TWO, LONGER] = [SAMPLE.oneLetter, SAMPLE.twoLetters, SAMPLE.longer].map(keywordsOf) as [
  string[],
  string[],
  string[],
];
const BY_LAST_NAME = bothWays(['lastName']);
const NOT_BY_LAST_NAME = PLAIN_ORDERS.filter((order) => !BY_LAST_NAME.includes(order));

export const KEYWORDS: Row[] = [
  {
    title: 'keyword of three letters or more, by last name',
    target: { most: 30 },
    questions: firstPages(combine(LONGER, BY_LAST_NAME)),
  },
  {
    title: 'keyword of three letters or more, in another order',
    target: { most: 120 },
    questions: firstPages(withSome(LONGER, NOT_BY_LAST_NAME)),
  },
  {
    title: 'keyword of three letters or more with a status, any order',
    target: { most: 180 },
    questions: firstPages(withSome(withSome(LONGER, STATUSES, 1), PLAIN_ORDERS)),
  },
  {
    title: 'keyword of two letters, any order',
    target: { most: 160 },
    questions: firstPages(withSome(TWO, PLAIN_ORDERS, 5)),
  },
  {
    title: 'keyword of one letter, any order',
    target: { most: 160 },
    questions: firstPages(withSome(ONE, PLAIN_ORDERS, 5)),
  },
];
