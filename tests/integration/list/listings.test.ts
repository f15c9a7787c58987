import { beforeAll, describe, expect, test } from 'vitest';
import { LISTINGS } from '../../../lib/http/listingRules.ts';
import { ROUTES } from '../../../lib/http/routes.ts';
import { filters } from '../../../schemas/filters.ts';
import { handlerCalls } from '../../support/calls.ts';
import type { Call } from '../../support/httpService.ts';
import { logOfEachTest } from '../../support/logs.ts';
import { serviceOn } from '../../support/service.ts';

logOfEachTest();

let call: Call;

/** In the order of creation. */
const PEOPLE = [
  { name: 'n1', firstName: 'Zoë', lastName: 'smith', age: 10, status: 'active', country: 'DE', email: 'b@x.org' },
  { name: 'n2', firstName: 'adam', lastName: 'Smithson', age: 9, status: 'active', country: 'FR' },
  { name: 'n3', firstName: 'Adam', lastName: 'Blacksmith', status: 'locked', country: 'DE', email: 'A@x.org' },
  { name: 'n4', lastName: '100%_ok', age: 100, status: 'Active' },
  { name: 'n5', firstName: 'Bob', age: 9, country: 'de' },
];

beforeAll(async () => {
  const service = await serviceOn.embedded();
  await service.users.createMany(PEOPLE);
  call = await handlerCalls(service);
});

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

test('a page has exactly seven members', async () => {
  const { body } = await call('GET', '/api/users?page=1&size=2');
  const { content, ...page } = body as Page;
  expect(names(content)).toBe('n3 n4');
  expect(page).toEqual({ totalElements: 5, totalPages: 3, number: 1, size: 2, first: false, last: false });
});

test.each([
  ['/api/users', 'n1 n2 n3 n4 n5 of 5'],
  ['/api/users?sort=age,name,desc', 'n3 n4 n1 n5 n2 of 5'],
  ['/api/users?keyword=SMITH', 'n1 n2 n3 of 3'],
  ['/api/users?status=&country=', 'n1 n2 n3 n4 n5 of 5'],
  ['/api/users/search?keyword=smith&status=active&sort=lastName,desc', 'n2 n1 of 2'],
  ['/api/users/all?sort=country,desc&sort=id,desc', 'n4 n2 n5 n3 n1'],
  ['/api/users/cursor', 'n1 n2 n3 n4 n5'],
])('%s gives %s', async (path, expected) => {
  expect(await list(path)).toBe(expected);
});

/** Values that match no user. A filter that is not applied finds users. */
const SOMEBODY: Record<string, string> = {
  ...{ email: 'a@x.org', age: '9', firstName: 'Adam', lastName: 'Smithson', status: 'active', country: 'FR' },
};

const NOBODY: Record<string, string> = {
  ...{ id: '7', name: 'nobody', firstName: 'nobody', lastName: 'nobody', age: '101' },
  ...{ email: 'nobody@example.com', status: 'nobody', country: 'nobody', keyword: 'nobody' },
  ...Object.fromEntries(['name', 'email', 'firstName', 'lastName'].map((field) => [`${field}.startsWith`, 'nobody'])),
  'age.gte': '101',
  'age.gt': '100',
  'age.lte': '8',
  'age.lt': '9',
  'createdAt.gte': '2300-01-01',
  'createdAt.gt': '2300-01-01',
  'createdAt.lte': '2020-01-01',
  'createdAt.lt': '2020-01-01',
  // With a value that somebody has: nobody has it and none.
  ...Object.fromEntries(Object.keys(SOMEBODY).map((field) => [`${field}.missing`, 'true'])),
};

const asked = Object.entries(LISTINGS).flatMap(([name, listing]) => {
  const path = ROUTES.find(({ operation }) => operation === name)?.path ?? '';
  return listing.filters.map((filter: string) => [path, filter] as const);
});

describe('a filter', () => {
  test.each(Object.keys(filters.properties))('by %s has a value here that matches no user', (filter) => {
    expect(Object.keys(NOBODY), `NOBODY of this test has no ${filter}`).toContain(filter);
  });

  test.each(asked)('of %s by %s is applied', async (path, filter) => {
    const [field = '', asks] = filter.split('.');
    const more = asks === 'missing' ? `&${field}=${SOMEBODY[field]}` : '';
    const found = await list(`${path}?${filter}=${encodeURIComponent(NOBODY[filter] ?? '')}${more}`);
    const hint = `${filter} is not read by lib/http/request/queries.ts, or not applied by lib/users/listing/listing.ts`;
    expect(found, hint).toMatch(/^( of 0)?$/);
  });
});
