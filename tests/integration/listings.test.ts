import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { handlerCalls } from '../support/calls.ts';
import type { Call } from '../support/httpService.ts';
import { captureLog } from '../support/logs.ts';

let call: Call;
let ids: Record<string, number>;

/** In the order of creation. */
const PEOPLE = [
  { name: 'n1', firstName: 'Zoë', lastName: 'smith', age: 10, status: 'active', country: 'DE', email: 'b@x.org' },
  { name: 'n2', firstName: 'adam', lastName: 'Smithson', age: 9, status: 'active', country: 'FR' },
  { name: 'n3', firstName: 'Adam', lastName: 'Blacksmith', status: 'locked', country: 'DE', email: 'A@x.org' },
  { name: 'n4', lastName: '100%_ok', age: 100, status: 'Active' },
  { name: 'n5', firstName: 'Bob', age: 9, country: 'de' },
];

beforeAll(async () => {
  captureLog();
  call = await handlerCalls();
  ids = {};
  for (const person of PEOPLE) {
    const { body } = await call('POST', '/api/users', { json: person });
    ids[person.name] = (body as { id: number }).id;
  }
});

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
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

describe('a page', () => {
  test('has exactly seven members', async () => {
    const { body } = await call('GET', '/api/users?page=1&size=2');
    const { content, ...page } = body as Page;
    expect(names(content)).toBe('n3 n4');
    expect(page).toEqual({ totalElements: 5, totalPages: 3, number: 1, size: 2, first: false, last: false });
  });

  test.each([
    ['', { number: 0, size: 20, totalPages: 1, first: true, last: true }],
    ['size=500', { number: 0, size: 100, totalPages: 1, first: true, last: true }],
    ['page=9', { content: [], number: 9, size: 20, totalElements: 5, totalPages: 1, first: false, last: true }],
    ['page=2147483647&size=100', { content: [], number: 2147483647, size: 100, first: false, last: true }],
    ['status=none', { content: [], totalElements: 0, totalPages: 0, number: 0, size: 20, first: true, last: true }],
  ])('for %j has the members %j', async (query, page) => {
    expect((await call('GET', `/api/users?${query}`)).body).toMatchObject(page);
  });
});

describe('GET /api/users', () => {
  test.each([
    ['', 'n1 n2 n3 n4 n5 of 5'],
    ['sort=createdAt,desc', 'n5 n4 n3 n2 n1 of 5'],
    ['sort=id,DESC', 'n5 n4 n3 n2 n1 of 5'],
    ['sort=firstName', 'n2 n3 n5 n1 n4 of 5'],
    ['sort=firstName,desc', 'n4 n1 n5 n3 n2 of 5'],
    ['sort=firstName&sort=name,desc', 'n3 n2 n5 n1 n4 of 5'],
    ['sort=lastName', 'n4 n3 n1 n2 n5 of 5'],
    ['sort=age', 'n2 n5 n1 n4 n3 of 5'],
    ['sort=age,name,desc', 'n3 n4 n1 n5 n2 of 5'],
    ['sort=email', 'n3 n1 n2 n4 n5 of 5'],
    ['sort=status', 'n1 n2 n4 n3 n5 of 5'],
    ['sort=status,desc&sort=age', 'n5 n3 n2 n1 n4 of 5'],
    ['sort=country&sort=age,desc', 'n3 n1 n5 n2 n4 of 5'],
    ['status=active', 'n1 n2 of 2'],
    ['status=Active', 'n4 of 1'],
    ['country=DE', 'n1 n3 of 2'],
    ['status=active&country=DE', 'n1 of 1'],
    ['status=&country=', 'n1 n2 n3 n4 n5 of 5'],
    ['keyword=SMITH', 'n1 n2 n3 of 3'],
    ['keyword=smith&sort=lastName,desc', 'n2 n1 n3 of 3'],
    ['keyword=smith&status=active&country=FR', 'n2 of 1'],
    ['keyword=%25_', 'n4 of 1'],
    ['keyword=%25&unknown=1', 'n4 of 1'],
    ['keyword=.', ' of 0'],
  ])('?%s gives %s', async (query, expected) => {
    expect(await list(`/api/users?${query}`)).toBe(expected);
  });
});

describe('GET /api/users/search', () => {
  test.each([
    ['', 'n1 n2 n3 n4 n5 of 5'],
    ['keyword=smith&status=active&sort=lastName,desc', 'n2 n1 of 2'],
    ['country=FR&country=DE', 'n1 n2 n3 n4 n5 of 5'],
    ['sort=createdAt,desc&size=2&page=1', 'n3 n2 of 5'],
  ])('?%s gives %s', async (query, expected) => {
    expect(await list(`/api/users/search?${query}`)).toBe(expected);
  });

  test.each(['name', 'email', 'age', 'status', 'country', 'nope'])('refuses to sort by %s', async (property) => {
    const message = `Cannot sort by: ${property}`;
    expect(await call('GET', `/api/users/search?sort=${property}`)).toMatchObject({
      status: 400,
      body: { status: 400, message },
    });
  });
});

describe('GET /api/users/all', () => {
  test.each([
    ['', 'n1 n2 n3 n4 n5'],
    ['sort=lastName,desc', 'n5 n2 n1 n3 n4'],
    ['sort=country,desc&sort=id,desc', 'n4 n2 n5 n3 n1'],
  ])('?%s gives %s', async (query, expected) => {
    expect(await list(`/api/users/all?${query}`)).toBe(expected);
  });

  test('refuses to sort by an unknown property', async () => {
    expect(await call('GET', '/api/users/all?sort=nope')).toMatchObject({
      status: 400,
      body: { message: 'Unknown sort property: nope' },
    });
  });
});

describe('a cursor', () => {
  test.each(['/api/users?cursor=', '/api/users/cursor?cursor='])('at %s gives the users after an id', async (path) => {
    expect(await list(path)).toBe('n1 n2 n3 n4 n5');
    expect(await list(`${path}0`)).toBe('n1 n2 n3 n4 n5');
    expect(await list(`${path}${ids.n3}`)).toBe('n4 n5');
    expect(await list(`${path}${ids.n1}&status=active`)).toBe('n2');
    expect(await list(`${path}${ids.n1}&country=DE`)).toBe('n3');
    expect(await list(`${path}0&status=active&country=FR`)).toBe('n2');
    expect(await list(`${path}${ids.n5}`)).toBe('');
    expect(await list(`${path}9223372036854775807`)).toBe('');
  });

  test('is 0 by default at /api/users/cursor', async () => {
    expect(await list('/api/users/cursor')).toBe('n1 n2 n3 n4 n5');
  });

  test.each(['page=0', 'size=5', 'sort=name'])('cannot be combined with %s', async (other) => {
    for (const path of ['/api/users', '/api/users/cursor']) {
      const message = `cursor cannot be combined with ${other.split('=')[0]}`;
      expect(await call('GET', `${path}?cursor=0&${other}`)).toMatchObject({ status: 400, body: { message } });
    }
  });

  test('gives at most 20 users', async () => {
    for (let i = 0; i < 20; i++) await call('POST', '/api/users', { json: { name: `c${i}`, status: 'cursor' } });
    expect((await call('GET', `/api/users?cursor=${ids.n5}`)).body).toHaveLength(20);
    expect((await call('GET', '/api/users?cursor=0')).body).toHaveLength(20);
  });
});
