import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { PAGE_NAMES } from '../../admin/files.ts';
import { deleteItems } from '../../lib/dynamodb/batches.ts';
import { LISTINGS, type ListingRules } from '../../lib/http/listingRules.ts';
import type { Operation } from '../../lib/http/routes.ts';
import { EXACT_FIELDS, FIELDS, type FieldRules } from '../../lib/users/fields.ts';
import { JOURNAL } from '../../lib/users/journal/entry.ts';
import { HEAD_KEY } from '../../lib/users/journal/head.ts';
import { FIELD_NAMES, type FieldName, type UserFields } from '../../lib/users/user.ts';
import { grantsOf } from '../../tools/deploy/permissions.ts';
import { FUNCTIONS, wordsOf } from '../support/bundles.ts';
import { type Invoke, loadHandlers } from '../support/calls.ts';
import { captureLog } from '../support/logs.ts';
import { type RecordingStore, startRecordingStore } from '../support/recordingStore.ts';
import { serviceOn, type TestService } from '../support/service.ts';

/** What the words in serverless.yml allow a function to do, as `action table` or `action index`. */
const grantedTo = (name: string, hasUniqueEmails = false): string[] =>
  grantsOf(name, wordsOf(name, hasUniqueEmails))
    .map((grant) => grant.replace('users/index/', ''))
    // Lambda reads the stream for the function.
    .filter((grant) => !grant.endsWith(' stream'))
    .sort();

/** Sizes so small that the data has runs which a stream does not sort in memory. */
vi.mock('../../lib/users/sizes.ts', async (importOriginal) => {
  const { SIZES } = await importOriginal<typeof import('../../lib/users/sizes.ts')>();
  return { SIZES: { ...SIZES, streamedRun: 100 } };
});

const stage = randomUUID();
const tablesOf = (name: string) => ({ users: `users-${name}`, directory: `directory-${name}` });
const tables = tablesOf(stage);

const BUS = `bus-${stage}`;

let store: RecordingStore;
let invoke: Invoke;
type Run = (call: object, context: Context) => Promise<void>;
let fold: Run;
let sendEvents: Run;
let users: TestService['users'];
let ahead: TestService['users'];
let log: ReturnType<typeof captureLog>;

/** A user with every field. Fields with filters have the same values in all users, so that each list has several segments. */
const person = (n: number): UserFields => {
  const value = (field: string, { order, filter }: FieldRules) =>
    filter === 'exact' ? 'same' : order === 'number' ? n : `${field} ${n % 40}`;
  return Object.fromEntries(FIELD_NAMES.map((field) => [field, value(field, FIELDS[field])])) as unknown as UserFields;
};

/** The first 61 have names of their own with the keyword `rare`, and one country, except the last: many others are from its country. */
const rare = (n: number): UserFields => ({
  ...person(n),
  lastName: n <= 60 ? `rare ${n}` : 'frequent',
  country: n < 60 ? 'one' : 'another',
});

beforeAll(async () => {
  store = await startRecordingStore(inject('endpoint'));
  ({ users } = await serviceOn.embedded({ tables }));
  ({ users: ahead } = await serviceOn.embedded({ clock: { now: () => Date.now() + 3_600_000 }, tables }));
  await users.createMany(Array.from({ length: 220 }, (_, n) => person(n)));
  await users.createMany(Array.from({ length: 120 }, (_, n) => rare(n)));
  vi.stubEnv('MINIMUM_AGE_MS', '0');
  vi.stubEnv('EVENT_BUS', BUS);
  vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', store.endpoint);
  invoke = await loadHandlers(tables, store.endpoint);
  fold = (await import('../../functions/fold.ts')).handler;
  sendEvents = (await import('../../functions/sendEvents.ts')).handler;
});

beforeEach(() => {
  log = captureLog();
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await store.stop();
});

const combine = (...lists: string[][]): string[] =>
  lists.reduce((all, list) => all.flatMap((start) => list.map((end) => start + end)), ['']);

/** Keywords in many names, in few names, and in many rare names. */
const KEYWORDS = ['a', 'name 7', 'rare'];

/** Whether a filter asks for a range of keys, or for some users. Others have totals, and are combined. */
const isRange = (filter: string): boolean => filter !== 'keyword' && !EXACT_FIELDS.some((field) => field === filter);

/** A value that few users have, and one that nearly all have. */
function valuesOf(filter: string): string[] {
  const [property = '', asks] = filter.split('.');
  if (filter === 'keyword') return KEYWORDS;
  if (filter === 'id') return ['7'];
  if (property === 'createdAt') return asks?.startsWith('g') ? ['2020-01-01', '2300-01-01'] : ['2300-01-01'];
  if (asks === 'missing') return ['true', 'false'];
  const value = String(person(7)[property as FieldName]);
  return asks === 'startsWith' ? [value, value.slice(0, 1)] : [value];
}

const given = (filter: string): string[] => valuesOf(filter).map((value) => `&${filter}=${encodeURIComponent(value)}`);

/** All combinations of filters that are no ranges. */
const exactOf = ({ filters }: ListingRules): string[] =>
  combine(...filters.filter((filter) => !isRange(filter)).map((filter) => ['', ...given(filter)]));

/** Ranges one at a time, with and without a country and a status. */
const rangesOf = ({ filters }: ListingRules): string[] =>
  combine(
    filters.filter(isRange).flatMap(given),
    ...EXACT_FIELDS.filter((field) => filters.includes(field)).map((field) => ['', ...given(field)]),
  );

const filtersOf = (rules: ListingRules): string[] => [...exactOf(rules), ...rangesOf(rules)];

const sortsOf = ({ sort }: ListingRules): string[] => sort?.properties.map((property) => `&sort=${property}`) ?? [];

/** All combinations of filters with every sort, every range with one sort, and sorts by two properties. */
function queriesOf(rules: ListingRules): string[] {
  const sorts = ['', ...sortsOf(rules)];
  const groups = EXACT_FIELDS.filter((field) => rules.sort?.properties.includes(field)).map(
    (field) => `&sort=${field}`,
  );
  return [
    ...combine(exactOf(rules), sorts),
    ...rangesOf(rules).map((range, i) => range + sorts[i % sorts.length]),
    ...combine(groups, sortsOf(rules)),
  ];
}

async function list(operation: Operation, queries: readonly string[]): Promise<void> {
  for (const query of queries) {
    const { statusCode, body } = await invoke(operation, { query });
    if (statusCode !== 200) throw new Error(`${operation} ${query}: ${body}`);
  }
}

async function create(fields: object, key?: string): Promise<number> {
  const headers = { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) };
  const more = { body: JSON.stringify({ name: 'Ann', ...fields }), headers };
  return ((await invoke('createUser', { more })).json as { id: number }).id;
}

const changing = async (change: (id: number) => Promise<unknown>): Promise<void> => {
  const ids = [await create({}), await create({ lastName: 'Meyer', status: 'active', country: 'DE' })];
  await store.record(async () => {});
  for (const id of ids) await change(id);
};

const timed = { getRemainingTimeInMillis: () => 60_000 } as Context;

/** For each function, calls that reach all of its code. */
const RUNS: Record<string, () => Promise<unknown>> = {
  // It folds the writes of earlier runs, too. So many names need more than one node.
  fold: async () => {
    const names = Array.from({ length: 300 }, (_, n) => `Name ${Math.imul(n + 1, 0x9e3779b1) >>> 0}`);
    await users.createMany(names.map((lastName) => ({ name: 'Ann', lastName })));
    await fold({}, timed);
  },
  // Earlier writes are sent when they are folded.
  sendEvents: async () => {
    await fold({}, timed);
    await store.record(async () => {});
    await sendEvents({}, timed);
  },
  listUsers: async () => {
    const { listUsers } = LISTINGS;
    await list('listUsers', combine(['size=20'], queriesOf(listUsers)));
    await list('listUsers', combine(['page=9'], sortsOf(listUsers)));
    await list('listUsers', combine(['cursor='], filtersOf(listUsers)));
  },
  listAllUsers: () => list('listAllUsers', queriesOf(LISTINGS.listAllUsers)),
  listUsersByCursor: () => list('listUsersByCursor', filtersOf(LISTINGS.listUsersByCursor)),
  searchUsers: () => list('searchUsers', combine(['size=20', 'page=9'], queriesOf(LISTINGS.searchUsers))),
  countUsers: async () => {
    for (const query of ['', 'by=status', 'by=status,country&country=DE']) await invoke('countUsers', { query });
    // As before the first fold of a new stage.
    const empty = await serviceOn.embedded({ tables: tablesOf(randomUUID()) });
    await deleteItems(empty, empty.tables.directory, [{ pk: JOURNAL, sk: HEAD_KEY }]);
    const onNewStage = await loadHandlers(empty.tables, store.endpoint);
    expect(await onNewStage('countUsers', {})).toMatchObject({ statusCode: 200 });
  },
  getUser: () =>
    changing(async (id) => {
      await invoke('getUser', { id });
      await invoke('getUser', { id, query: 'at=2999-01-01' });
    }),
  createUser: async () => {
    await create({});
    for (let time = 0; time < 2; time++) await create({ lastName: 'Lee' }, stage);
  },
  replaceUser: async () => {
    await changing((id) => invoke('replaceUser', { id, body: { name: 'Bea', lastName: 'Neu', age: 99 } }));
    const id = 600_000_000_000_000;
    const more = { headers: { 'content-type': 'application/json', 'if-none-match': '*' } };
    // The write is refused while the user exists, and at first when an earlier life began with a clock that was ahead.
    for (let time = 0; time < 2; time++) await invoke('replaceUser', { id, body: { name: 'Bea' }, more });
    await users.delete(id);
    await ahead.createWithId(id, { name: 'Bea' });
    await ahead.delete(id);
    await invoke('replaceUser', { id, body: { name: 'Bea' }, more });
  },
  patchUser: () => changing((id) => invoke('patchUser', { id, body: { lastName: 'Neu', status: null } })),
  deleteUser: () => changing((id) => invoke('deleteUser', { id })),
  listChanges: async () => {
    await users.createMany([person(1)]);
    await fold({}, timed);
    await store.record(async () => {});
    for (const query of ['', 'after=now', 'size=1000']) await invoke('listChanges', { query });
  },
  listUserChanges: () => changing((id) => invoke('listUserChanges', { id })),
  eraseUserChanges: () => changing((id) => invoke('eraseUserChanges', { id })),
  getOpenApi: () => invoke('getOpenApi'),
  getDocs: () => invoke('getDocs'),
  getDocsFile: () => invoke('getDocsFile', { more: { pathParameters: { file: 'start.js' } } }),
  getAdmin: () => invoke('getAdmin'),
  getAdminFile: () => invoke('getAdminFile', { more: { pathParameters: { file: PAGE_NAMES.style } } }),
  unknownRoute: () => invoke('unknownRoute', { more: { path: '/nowhere', resource: '/{proxy+}' } }),
  // It reads no tables. integration/http/authentication.test.ts tests it.
  authorizer: async () => {},
};

async function permissionsUsed(run: () => Promise<unknown>): Promise<string[]> {
  const used = await store.record(async () => void (await run()));
  const named = used.map((permission) => {
    const [, action, resource = '', partition] = /^\w+:(\w+) ([^#]+)(#.*)?$/.exec(permission) ?? [];
    return `${action} ${resource.replace(/-.*/, '')}${partition ?? ''}`;
  });
  return [...new Set(named)].sort();
}

describe('the permissions of a function', () => {
  test.each(FUNCTIONS)('are recorded in this test for %s', (name) => {
    expect(Object.keys(RUNS), `RUNS of this test has no calls of ${name}`).toContain(name);
  });

  test.each(Object.entries(RUNS))('are for %s exactly what it uses', async (name, run) => {
    const used = await permissionsUsed(run);
    expect(log.faults).toEqual([]);
    expect(used, `the permissions of ${name} in serverless.yml, in the words of tools/deploy/permissions.ts`).toEqual(
      grantedTo(name),
    );
  });

  test('are more where e-mails are unique', async () => {
    vi.stubEnv('UNIQUE_EMAILS', 'true');
    const others = tablesOf(BUS);
    await serviceOn.embedded({ tables: others });
    invoke = await loadHandlers(others, store.endpoint);
    const used: Record<string, string[]> = {};
    const headers = { 'content-type': 'application/json' };
    const ids: number[] = [];
    const send = (operation: Operation, email: string, more: object = {}) =>
      invoke(operation, { id: ids[0] ?? 0, more: { body: JSON.stringify({ name: 'Ann', email }), headers, ...more } });
    const addresses = ['a@example.com', 'b@example.com', 'c@example.com', 'b@example.com'];
    used.createUser = await permissionsUsed(async () => {
      for (const email of addresses) {
        const { json } = await send('createUser', email, {
          headers: { ...headers, 'idempotency-key': `${email}${BUS}` },
        });
        ids.push((json as { id: number }).id);
      }
      await send('createUser', 'b@example.com');
    });
    used.replaceUser = await permissionsUsed(async () => {
      await send('replaceUser', 'd@example.com');
      await send('replaceUser', 'b@example.com');
      await send('replaceUser', 'e@example.com', { headers: { ...headers, 'if-none-match': '*' } });
    });
    used.patchUser = await permissionsUsed(async () => {
      await send('patchUser', 'a@example.com');
      await send('patchUser', 'b@example.com');
    });
    used.deleteUser = await permissionsUsed(() => send('deleteUser', ''));
    for (const [name, permissions] of Object.entries(used))
      expect(grantedTo(name, true), name).toEqual(expect.arrayContaining(permissions));
    // One process runs all handlers, and only the first one asks whether the stage is empty.
    const together = Object.values(used).flat();
    for (const name of Object.keys(used)) {
      const more = grantedTo(name, true).filter((grant) => !grantedTo(name).includes(grant));
      expect(together, name).toEqual(expect.arrayContaining(more));
    }
  });
});
