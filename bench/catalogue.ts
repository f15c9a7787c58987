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

const ONE_VALUE = POPULATION.people
  .slice(0, 10)
  .flatMap((user) =>
    (['name', 'firstName', 'lastName', 'age'] as const).map(
      (field) => `${field}=${encodeURIComponent(user[field] ?? '')}`,
    ),
  )
  .filter((query) => !query.endsWith('='));
const NAMES = ONE_VALUE.filter((query) => !query.startsWith('age='));
const MISSING = FIELDS.slice(1).flatMap((field) => bothWays([field]).map((sort) => `${field}.missing=true&${sort}`));

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
  'a name, a first name, a last name or an age, first page by id': firstPages(ONE_VALUE),
  'a name, a first name or a last name, first page in another order': firstPages(withSome(NAMES, OTHER_ORDERS, 1)),
  'who lacks a field, in its order, first page': firstPages(MISSING),
  'who lacks a field, in its order, any page': deepPages(MISSING),
  'twenty ids': times(10, () => ({ kind: 'ids', query: pick(PLAIN_ORDERS), depth: random() })),
  'counts by status, or by country': ['by=status', 'by=country'].map((query) => ({ kind: 'counts', query })),
  'counts by both': [{ kind: 'counts', query: 'by=status,country' }],
} satisfies Partial<Record<Title, Question[]>>;
