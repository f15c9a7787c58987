import { describe, expect, test } from 'vitest';
import { ROUTES } from '../../../lib/http/routes.ts';
import { OPERATIONS } from '../../../lib/openapi/operations.ts';
import { FILTERS } from '../../../lib/users/filters.ts';
import { ANY_ATTRIBUTE, KINDS, type PlainField, type UserFields } from '../../../lib/users/user.ts';
import { handlerCalls } from '../../support/calls.ts';
import { logOfEachTest } from '../../support/logs.ts';
import { serviceOn } from '../../support/service.ts';

logOfEachTest();

/** In the order of creation. */
const PEOPLE: UserFields[] = [
  { name: 'n1', firstName: 'Zoë', lastName: 'smith', age: 10, status: 'active', country: 'DE', email: 'b@x.org' },
  { name: 'n2', firstName: 'adam', lastName: 'Smithson', age: 9, status: 'active', country: 'FR' },
  { name: 'n3', firstName: 'Adam', lastName: 'Blacksmith', status: 'locked', country: 'DE', email: 'A@x.org' },
  { name: 'n4', lastName: '100%_ok', age: 100, status: 'Active' },
  { name: 'n5', firstName: 'Bob', age: 9, country: 'de' },
];

/** A value of each field that is not named above. */
const OTHER_FIELDS: Partial<UserFields> = Object.fromEntries(
  Object.entries(KINDS).flatMap(([field, kind]) =>
    PEOPLE.some((person) => field in person) ? [] : [[field, kind === 'number' ? 9 : 'somebody']],
  ),
);

const service = await serviceOn.embedded();
const [first = { id: 0 }] = await service.users.createMany(
  PEOPLE.map((person, i) => (i === 0 ? { ...OTHER_FIELDS, ...person } : person)),
);
const call = await handlerCalls(service);

interface Page {
  content: { name: string }[];
  totalElements: number;
}

const names = (users: unknown) => (users as { name: string }[]).map(({ name }) => name).join(' ');

async function list(path: string): Promise<string> {
  const { status, body } = await call('GET', path);
  expect(status).toBe(200);
  return Array.isArray(body) ? names(body) : `${names((body as Page).content)} of ${(body as Page).totalElements}`;
}

test.each([
  ['/api/users', 'n1 n2 n3 n4 n5 of 5'],
  ['/api/users?sort=age,name,desc', 'n3 n4 n1 n5 n2 of 5'],
  ['/api/users?keyword=SMITH', 'n1 n2 n3 of 3'],
  ['/api/users?status=&country=', 'n1 n2 n3 n4 n5 of 5'],
  ['/api/users/search?keyword=smith&status=active&sort=lastName,desc', 'n2 n1 of 2'],
  ['/api/users/all?sort=country,desc&sort=id,desc', 'n4 n2 n5 n3 n1'],
  ['/api/users/cursor', 'n1 n2 n3 n4 n5'],
  ['/api/users/cursor?status=active&country=DE', 'n1'],
  ['/api/users/cursor?status=locked&status=Active', 'n3 n4'],
  ['/api/users?email.endsWith=@X.ORG&status.not=locked', 'n1 of 1'],
  ['/api/users?country.not=DE&country.not=FR', 'n4 n5 of 2'],
  ['/api/users?status.contains=TIV&age.not=100', 'n1 n2 of 2'],
  ['/api/users?keyword=smith&keyword=100', 'n1 n2 n3 n4 of 4'],
  ['/api/users/all?q=zoe%20x.org', 'n1'],
])('%s gives %s', async (path, expected) => {
  expect(await list(path)).toBe(expected);
});

test('a word is found in names with its letters, whatever accents they have, and a mark that makes a letter another one is none', async () => {
  const others = await serviceOn.embedded();
  const ask = await handlerCalls(others);
  await others.users.createMany(['かき', 'がぎ', 'दल', 'दिल', '한', 'שָׁלוֹם', 'ёлка', 'Zoë'].map((name) => ({ name })));
  const found = async (q: string) => names((await ask('GET', `/api/users/all?q=${encodeURIComponent(q)}`)).body);
  const words = 'か が か\u3099 दल दिल 하 שלום שָׁלוֹם елка ё zoe zöe \u0301'.split(' ');
  const all = await Promise.all([...words, 'zoe \u0301'].map(async (word) => [word, await found(word)]));
  expect(Object.fromEntries(all)).toEqual({
    ...{ か: 'かき', が: 'がぎ', 'か\u3099': 'がぎ', दल: 'दल', दिल: 'दिल', 하: '' },
    ...{ שלום: 'שָׁלוֹם', שָׁלוֹם: 'שָׁלוֹם', елка: 'ёлка', ё: 'ёлка', zoe: 'Zoë', zöe: 'Zoë' },
    ...{ '\u0301': '', 'zoe \u0301': '' },
  });
});

/** Numbers of nobody: the ages above are 9 to 100. */
const BEYOND_AGES: Record<string, number> = { '': 101, gte: 101, gt: 100, lte: 8, lt: 9 };

/** A query that finds no user, by the ending of its filter and the kind of its field. If the filter is not applied, it finds some. */
function askingForNobody(filter: string): string {
  const [field = '', ending = ''] = filter.split('.');
  if (filter === 'updatedAt.missing') return `${filter}=true`;
  if (field === 'createdAt' || field === 'updatedAt')
    return `${filter}=${ending.startsWith('g') ? '2300-01-01' : '2020-01-01'}`;
  if (filter === 'id') return `${filter}=7`;
  // With a value that the first user has: nobody has it and none, and nobody has it and not.
  const somebodys = { ...OTHER_FIELDS, ...first }[field as PlainField];
  if (ending === 'missing') return `${filter}=true&${field}=${somebodys}`;
  if (ending === 'not') return `${filter}=${somebodys}&${field}=${somebodys}`;
  if (KINDS[field as PlainField] === 'number') return `${filter}=${BEYOND_AGES[ending]}`;
  return `${filter}=nobody${field === 'email' && ending === '' ? '@example.com' : ''}`;
}

/** The lists, by their operations. */
const LISTS = ['listUsers', 'listUsersByCursor', 'listAllUsers', 'searchUsers'] as const;

const asked = LISTS.flatMap((name) => {
  const path = ROUTES.find(({ operation }) => operation === name)?.path ?? '';
  const taken = OPERATIONS[name].query?.names ?? [];
  const filters = taken.filter((each) => [...FILTERS.keys(), ANY_ATTRIBUTE].includes(each as 'q'));
  // Nobody has any attribute here.
  return filters.map((filter) => [path, filter.replace(ANY_ATTRIBUTE, 'attributes.team')] as const);
});

describe('a filter', () => {
  test.each(asked)('of %s by %s is applied', async (path, filter) => {
    const found = await list(`${path}?${askingForNobody(filter)}`);
    const hint = `${filter} is not read by lib/http/parameters/filters.ts, or not applied by lib/users/lists.ts`;
    expect(found, hint).toMatch(/^( of 0)?$/);
  });
});
