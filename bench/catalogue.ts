import type { Title } from './lines.ts';
import { POPULATION, pick, type Question, random, SAMPLE, times } from './sample.ts';

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

const STATUSES = POPULATION.statuses.map((status) => `status=${status}`);
const COUNTRIES = SAMPLE.countries.map((country) => `country=${country}`);
const BOTH = COUNTRIES.map((country) => `${pick(STATUSES)}&${country}`);
const EMAILS = SAMPLE.emails.map((email) => `email=${encodeURIComponent(email)}`);

/** Each of the first with each of the second. */
const combine = (first: readonly string[], second: readonly string[]): string[] =>
  first.flatMap((a) => second.map((b) => `${a}&${b}`));

const firstPages = (queries: readonly string[]): Question[] => queries.map((query) => ({ query }));
const lastPages = (queries: readonly string[]): Question[] => queries.map((query) => ({ query, depth: 1 }));
const deepPages = (queries: readonly string[]): Question[] =>
  queries.flatMap((query) => times(DEPTHS, () => ({ query, depth: random() })));

const keywordsOf = (words: readonly string[]): string[] => words.map((word) => `keyword=${encodeURIComponent(word)}`);

/** Each query with some of the others, picked at random. */
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

const ONE = keywordsOf(SAMPLE.oneLetter);
const TWO = keywordsOf(SAMPLE.twoLetters);
const LONGER = keywordsOf(SAMPLE.longer);
const BY_LAST_NAME = bothWays(['lastName']);
const NOT_BY_LAST_NAME = PLAIN_ORDERS.filter((order) => !BY_LAST_NAME.includes(order));

/** The chosen questions, by the titles of their lines. For the first one a total is read: so none begins without a journal. */
export const CHOSEN = {
  'page half way by name': [{ query: 'sort=name', depth: 0.5 }],
  'first page by name': [{ query: 'sort=name' }],
  'keyword "ski" by last name': [{ query: 'keyword=ski&sort=lastName' }],
  'first page, any single order but status and country': firstPages(PLAIN_ORDERS),
  'last page, the same': lastPages(PLAIN_ORDERS),
  'first and last page by status or country': [...firstPages(BY_VALUE), ...lastPages(BY_VALUE)],
  'first page under a status, a country or both': firstPages([...STATUSES, ...COUNTRIES, ...BOTH]),
  'first page of a country, any order': firstPages(combine(COUNTRIES, [...PLAIN_ORDERS, ...BY_VALUE])),
  'an e-mail': firstPages(EMAILS),
  'a batch after a cursor': times(20, () => ({ kind: 'cursor', query: '', depth: random() })),
  'a user by id': times(20, () => ({ kind: 'get', query: '', depth: random() })),
  'a list that has not changed (304)': ['', 'sort=name', 'keyword=a'].map((query) => ({ kind: 'unchanged', query })),
  'any page: of all, a country, a status, both, an e-mail; in any order there is a list for': DEEP,
  'first page of a status, or of both filters, in another order': firstPages(
    combine([...STATUSES, ...BOTH], OTHER_ORDERS),
  ),
  'first page by two properties': firstPages(TWO_SORTS),
  'keyword of three letters or more, by last name': firstPages(combine(LONGER, BY_LAST_NAME)),
  'keyword of three letters or more, in another order': firstPages(withSome(LONGER, NOT_BY_LAST_NAME)),
  'keyword of three letters or more with a status, any order': firstPages(
    withSome(withSome(LONGER, STATUSES, 1), PLAIN_ORDERS),
  ),
  'keyword of two letters, any order': firstPages(withSome(TWO, PLAIN_ORDERS, 5)),
  'keyword of one letter, any order': firstPages(withSome(ONE, PLAIN_ORDERS, 5)),
} satisfies Partial<Record<Title, Question[]>>;
