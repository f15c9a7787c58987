import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { people } from '../../lib/local/people.ts';
import { MISSING, type SortProperty } from '../../lib/users/keys.ts';
import { type Direction, totalOrder } from '../../lib/users/listing/order.ts';
import { plan } from '../../lib/users/listing/plan.ts';
import { countAllowed } from '../../lib/users/listing/restriction.ts';
import { type RecordingStore, startRecordingStore } from '../support/recordingStore.ts';
import { type Call, caller, exchange, type LocalService, startService } from '../support/service.ts';
import { createTestService, type TestService } from '../support/store.ts';

interface Grant {
  Action: string[];
  Resource: string[];
}

// The tags of CloudFormation (!Sub) mean nothing here.
const { functions } = parse(readFileSync(new URL('../../serverless.yml', import.meta.url), 'utf8'), {
  logLevel: 'silent',
}) as { functions: Record<string, { permissions: Grant[] }> };

/** What serverless.yml lets a function do, as `action resource`. */
const grantedTo = (operation: string): string[] =>
  functions[operation]?.permissions
    .flatMap(({ Action, Resource }) => Action.flatMap((action) => Resource.map((resource) => `${action} ${resource}`)))
    .map((grant) =>
      grant.replace(/\$\{self:custom\.tableArns\.(\w+)\}(?:\/index\/)?/, (arn, table) =>
        arn.endsWith('/') ? '' : table,
      ),
    )
    .sort() ?? [];

const stage = randomUUID();
const tables = { users: `users-${stage}`, directory: `directory-${stage}` };

let store: RecordingStore;
let service: LocalService;
let call: Call;

let users: TestService['users'];

/** So few statuses and countries, with so many users each, that going from one to the next pays. */
const LARGE_CELLS = ['DE', 'FR'].flatMap((country) =>
  Array.from({ length: 60 }, (_, n) => ({ name: `n${n}`, lastName: `Name${n % 9}`, status: 'active', country })),
);

const seedPeople = () => {
  const source = people(1);
  return users.createMany(Array.from({ length: 200 }, () => source.next().value));
};

beforeAll(async () => {
  store = await startRecordingStore(inject('endpoint'));
  ({ users } = await createTestService({}, tables));
  await users.createMany(LARGE_CELLS);
  const env = {
    USERS_TABLE: tables.users,
    DIRECTORY_TABLE: tables.directory,
    AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
  };
  service = await startService(env);
  call = caller(service.url);
});

afterAll(async () => {
  await service.stop();
  await store.stop();
});

const get = async (path: string): Promise<void> => {
  const { status, text } = await exchange(service.url, 'GET', path);
  if (status !== 200) throw new Error(`${path}: ${text}`);
};

const SORTS: SortProperty[] = ['id', 'name', 'email', 'age', 'firstName', 'lastName', 'createdAt', 'status', 'country'];
const SEARCH_SORTS: SortProperty[] = ['id', 'firstName', 'lastName', 'createdAt'];
const FILTERS = ['', '&status=active', '&country=DE', '&status=active&country=DE'];
const KEYWORDS = ['', '&keyword=a', '&keyword=ski'];

const combine = (...lists: string[][]): string[] =>
  lists.reduce((all, list) => all.flatMap((start) => list.map((end) => start + end)), ['']);

const create = async (fields: object, headers: Record<string, string> = {}) => {
  const { body } = await call('POST', '/api/users', { json: { name: 'Ann', ...fields }, headers });
  return (body as { id: number }).id;
};

/** Users for every kind of change: with and without a last name, alone with their name and status or not. */
const kinds = (): object[] => {
  const own = randomUUID().slice(0, 8);
  return [{}, { lastName: `Solo${own}`, status: own }, { lastName: 'Meyer', status: 'active', country: 'DE' }];
};

const changing = async (change: (id: number, fields: object) => Promise<unknown>): Promise<void> => {
  const ids: [number, object][] = [];
  for (const fields of kinds()) ids.push([await create(fields), fields]);
  await store.record(async () => {});
  for (const [id, fields] of ids) await change(id, fields);
};

/** For each function, requests that take every way it has. */
const RUNS: Record<string, () => Promise<void>> = {
  listAllUsers: async () => {
    const sorts = SORTS.map((sort) => `?sort=${sort}`);
    for (const query of combine(sorts, ['', '&sort=status', '&sort=country'])) await get(`/api/users/all${query}`);
  },
  listUsers: async () => {
    await seedPeople();
    const sorts = SORTS.map((sort) => `&sort=${sort}`);
    for (const query of combine(['?page=0', '?page=9'], sorts, FILTERS)) await get(`/api/users${query}`);
    for (const query of combine(['?keyword=a', '?keyword=ski'], sorts, ['', '&status=active'])) {
      await get(`/api/users${query}`);
    }
    for (const query of combine(['?cursor='], FILTERS, KEYWORDS)) await get(`/api/users${query}`);
  },
  listUsersByCursor: async () => {
    for (const query of combine(['?cursor=0'], FILTERS, KEYWORDS)) await get(`/api/users/cursor${query}`);
  },
  searchUsers: async () => {
    const sorts = SEARCH_SORTS.map((sort) => `?sort=${sort}`);
    for (const query of combine(sorts, ['', '&status=active'], KEYWORDS)) await get(`/api/users/search${query}`);
  },
  getUser: () => changing((id) => get(`/api/users/${id}`)),
  createUser: async () => {
    for (const fields of kinds()) await create(fields);
    for (let time = 0; time < 2; time++) await create({ lastName: 'Lee' }, { 'idempotency-key': stage });
  },
  replaceUser: () =>
    changing(async (id) => {
      await call('PUT', `/api/users/${id}`, { json: { name: 'Bea', lastName: 'Neu', status: 'other', age: 99 } });
      await call('PUT', `/api/users/${id}`, { json: { name: 'Zoe' } });
    }),
  patchUser: () =>
    changing(async (id) => {
      await call('PATCH', `/api/users/${id}`, { json: { lastName: 'Neu', status: 'other', age: 99 } });
      await call('PATCH', `/api/users/${id}`, { json: { lastName: null, status: null } });
    }),
  deleteUser: () => changing((id) => call('DELETE', `/api/users/${id}`)),
  getOpenApi: () => get('/api/openapi.json'),
  getDocs: () => get('/api/docs'),
  getDocsFile: () => get('/api/docs/start.js'),
  unknownRoute: async () => {
    await call('GET', '/nowhere');
    await call('POST', '/api/users/5', { json: {} });
  },
  // It knows tokens, not tables; http-authentication.test.ts runs it.
  authorizer: async () => {},
};

describe('what a function may do with DynamoDB', () => {
  test('is listed here for all of them', () => {
    expect(Object.keys(RUNS).sort()).toEqual(Object.keys(functions).sort());
  });

  test.each(Object.entries(RUNS))('%s: all that it does, and nothing that it does not', async (operation, run) => {
    const named = new Map([
      [tables.users, 'users'],
      [tables.directory, 'directory'],
    ]);
    const used = (await store.record(run)).map((permission) => {
      const [action, resource = ''] = permission.split(' ');
      return `${action} ${named.get(resource) ?? resource}`;
    });
    expect(used.sort()).toEqual(grantedTo(operation));
  });

  const cell = fc.record({
    status: fc.constantFrom('a', 'b', 'c', MISSING),
    country: fc.constantFrom('x', 'y', MISSING),
    users: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 100_000 })),
  });
  const cells = fc.uniqueArray(cell, { selector: (each) => each.status + each.country, minLength: 1, maxLength: 9 });
  const keys = (properties: readonly SortProperty[]) =>
    fc.array(
      fc.record({ property: fc.constantFrom(...properties), direction: fc.constantFrom<Direction>('asc', 'desc') }),
      { maxLength: 3 },
    );
  const start = fc.nat(50_000);

  // Which way is cheapest depends on the users that there are, and these are only some.
  test.each([
    ['listAllUsers', SORTS, [], Number.POSITIVE_INFINITY],
    ['searchUsers', SEARCH_SORTS, ['status'], 20],
    ['listUsersByCursor', ['id'], ['status', 'country'], 20],
  ] as const)('%s may read whatever index the planner takes', (operation, properties, filters, size) => {
    const granted = grantedTo(operation);
    fc.assert(
      fc.property(cells, keys(properties), start, fc.subarray([...filters]), (counted, order, offset, given) => {
        const [first] = counted;
        const restriction = Object.fromEntries(given.map((filter) => [filter, [first?.[filter] ?? '']]));
        const total = countAllowed(restriction, counted);
        const from = size === 20 ? offset % total : 0;
        const window = { start: from, end: size === 20 ? Math.min(from + size, total) : size };
        const { description } = plan({ restriction, order: totalOrder(order), window, cells: counted });
        for (const index of description.match(/by[A-Z]\w+/g) ?? [])
          expect(granted).toContain(`dynamodb:Query ${index}`);
      }),
      { numRuns: 500 },
    );
  });
});
