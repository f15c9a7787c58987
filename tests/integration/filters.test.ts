import { beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { LISTINGS } from '../../lib/http/listingRules.ts';
import type { Operation } from '../../lib/http/routes.ts';
import { filters } from '../../schemas/filters.ts';
import { type Invoke, loadHandlers } from '../support/handlers.ts';
import { captureLog } from '../support/logs.ts';
import { serviceOn } from '../support/service.ts';

/** Values that no user matches: a filter that is read but not applied would find everybody. */
const NOBODY: Record<string, string> = {
  email: 'nobody@example.com',
  status: 'nobody',
  country: 'nobody',
  keyword: 'nobody',
  'name.startsWith': 'nobody',
  'email.startsWith': 'nobody',
  'firstName.startsWith': 'nobody',
  'lastName.startsWith': 'nobody',
  'age.gte': '31',
  'age.gt': '30',
  'age.lte': '29',
  'age.lt': '30',
  'createdAt.gte': '2300-01-01',
  'createdAt.gt': '2300-01-01',
  'createdAt.lte': '2020-01-01',
  'createdAt.lt': '2020-01-01',
};

let invoke: Invoke;

beforeAll(async () => {
  captureLog();
  const { tables, users } = await serviceOn.embedded();
  await users.create({
    ...{ name: 'Ann', email: 'ann@example.com', firstName: 'Ann', lastName: 'Lee' },
    ...{ age: 30, status: 'active', country: 'DE' },
  });
  invoke = await loadHandlers(tables, inject('endpoint'));
  return () => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  };
});

const found = async (operation: Operation, query: string): Promise<number> => {
  const { json } = await invoke(operation, { query });
  return (json as unknown[]).length ?? (json as { totalElements: number }).totalElements;
};

const asked = Object.entries(LISTINGS).flatMap(([name, listing]) =>
  listing.filters.map((filter: string) => [name as Operation, filter] as const),
);

describe('a filter', () => {
  test.each(Object.keys(filters.properties))('by %s has a value here that no user matches', (filter) => {
    expect(Object.keys(NOBODY), `NOBODY of this test has no ${filter}`).toContain(filter);
  });

  test.each(asked)('of %s by %s is applied', async (operation, filter) => {
    const value = encodeURIComponent(NOBODY[filter] ?? '');
    expect(await found(operation, '')).toBe(1);
    const hint = `${filter} is not read by lib/http/request/queries.ts, or not applied by lib/users/listing/listing.ts`;
    expect(await found(operation, `${filter}=${value}`), hint).toBe(0);
  });
});
