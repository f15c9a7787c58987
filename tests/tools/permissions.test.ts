import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deleteItems, putItems } from '../../lib/dynamodb/index.ts';
import { createEdits } from '../../lib/edits/edits.ts';
import { searchSort, sort } from '../../lib/http/parameters/sort.ts';
import { type Operation, ROUTES } from '../../lib/http/routes.ts';
import { OPERATIONS } from '../../lib/openapi/operations.ts';
import { readHead } from '../../lib/replica/index.ts';
import { changeHead, entryKey, JOURNAL, readJournal } from '../../lib/replica/internals.ts';
import { FILTERS, type FilterName } from '../../lib/users/filters.ts';
import { ANY_ATTRIBUTE, type FieldName, KINDS, PLAIN_FIELDS, type UserFields } from '../../lib/users/user.ts';
import { grantsOf } from '../../tools/deploy/permissions.ts';
import { EDIT } from '../../tools/samples/events.ts';
import { FUNCTIONS, wordsOf } from '../support/bundles.ts';
import { type Invoke, loadHandlers } from '../support/calls.ts';
import { examplesFor } from '../support/examples.ts';
import { captureLog } from '../support/logs.ts';
import { startRecordingStore } from '../support/recordingStore.ts';
import { serviceOn } from '../support/service.ts';
import { storeEndpoint } from '../support/shared.ts';

/** The calls that the words in serverless.yml allow a function, as `action table` or `action index`. */
const grantedTo = (name: string, hasUniqueEmails = false): string[] =>
  grantsOf(wordsOf(name, hasUniqueEmails))
    // The store does not record that a head is changed in the partition of the journal.
    .map((grant) => grant.replace('users/index/', '').replace(`#${JOURNAL}`, ''))
    // Lambda reads the stream for the function.
    .filter((grant) => !grant.endsWith(' stream'))
    .sort();

const stage = randomUUID();
const tablesOf = (name: string) => ({ users: `users-${name}`, directory: `directory-${name}` });
const tables = tablesOf(stage);

const BUS = `bus-${stage}`;

/** A user with every field. */
const person = (n: number): UserFields => {
  const value = { exact: 'same', number: n, text: `text ${n}`, address: `a${n}@example.com` };
  const fields = PLAIN_FIELDS.map((field) => [field, value[KINDS[field]]]);
  return { ...(Object.fromEntries(fields) as unknown as UserFields), externalId: `x${n}` };
};

const store = await startRecordingStore(await storeEndpoint());
const { users } = await serviceOn.embedded({ tables });
const { users: ahead } = await serviceOn.embedded({ clock: { now: () => Date.now() + 3_600_000 }, tables });
await users.createMany(Array.from({ length: 40 }, (_, n) => person(n)));
vi.stubEnv('MINIMUM_AGE_MS', '0');
vi.stubEnv('JOURNAL_REST_MS', '0');
vi.stubEnv('EVENT_BUS', BUS);
vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', store.endpoint);
let invoke = await loadHandlers(tables, store.endpoint);
type Run = (call: object, context: Context) => Promise<void>;
const { handler: fold }: { handler: Run } = await import('../../functions/fold.ts');
const { handler: sendEvents }: { handler: Run } = await import('../../functions/sendEvents.ts');

let log: ReturnType<typeof captureLog>;

beforeEach(() => {
  log = captureLog();
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(() => store.stop());

/** A value that some users have. */
function someValueOf(filter: string): string {
  const [property = '', asks] = filter.split('.');
  if (filter === 'keyword') return 'text';
  if (property === 'id') return '7';
  if (asks === 'missing') return 'true';
  if (property === 'createdAt' || property === 'updatedAt') return '2020-01-01';
  return String(person(7)[property as FieldName]);
}

type List = 'listUsers' | 'listUsersByCursor' | 'listAllUsers' | 'searchUsers';

const filtersOf = (list: List): string[] =>
  (OPERATIONS[list].query?.names ?? [])
    .filter((name) => FILTERS.has(name as FilterName) || name === ANY_ATTRIBUTE)
    .map((name) => name.replace(ANY_ATTRIBUTE, 'attributes.team'))
    .map((name) => `${name}=${encodeURIComponent(someValueOf(name))}`);

/** Each filter and each order. */
const queriesOf = (list: List): string[] => [
  '',
  ...filtersOf(list),
  ...(list === 'searchUsers' ? searchSort : sort).properties.map((property) => `sort=${property}`),
];

const byCursor = (list: List): string[] => ['', ...filtersOf(list)].map((query) => `cursor=&${query}`);

/** The handlers of a stage where the base of all users has lost its only part: they ask the fold for another one. */
async function brokenStage(): Promise<Invoke> {
  const own = await serviceOn.embedded({ tables: tablesOf(randomUUID()) });
  const { base } = (await readHead(own)) ?? {};
  await deleteItems(own, own.tables.directory, [{ pk: 'base:0', sk: `${base?.name}-000000` }]);
  return loadHandlers(own.tables, store.endpoint);
}

async function list(operation: Operation, queries: readonly string[]): Promise<void> {
  for (const query of queries) {
    const { statusCode, body } = await invoke(operation, { query });
    if (statusCode !== 200) throw new Error(`${operation} ${query}: ${body}`);
  }
  const isNew = await serviceOn.embedded({ tables: tablesOf(randomUUID()), isNew: true });
  for (const other of [await loadHandlers(isNew.tables, store.endpoint), await brokenStage()])
    expect(await other(operation, { query: queries.at(-1) ?? '' })).toMatchObject({
      ...{ statusCode: 503, headers: { 'retry-after': '1' } },
    });
}

async function create(fields: object, key?: string): Promise<number> {
  const headers = { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) };
  const more = { body: JSON.stringify({ name: 'Ann', ...fields }), headers };
  return ((await invoke('createUser', { more })).json as { id: number }).id;
}

/** Users who are changed, enough that a writer looks at the head. */
const MANY = 50;

const changing = async (change: (id: number) => Promise<unknown>): Promise<void> => {
  const ids = [await create({})];
  while (ids.length < MANY)
    ids.push(await create({ lastName: 'Meyer', status: 'active', country: 'DE', externalId: randomUUID() }));
  await store.record(async () => {});
  for (const id of ids) await change(id);
};

const timed = { getRemainingTimeInMillis: () => 300_000 } as Context;

/** The calls of an endpoint's examples, for many users if it is of one. */
const byExamples = (name: Operation) => async (): Promise<void> => {
  const send = async (id?: number) => {
    for (const { path, query, headers, json } of examplesFor(
      name,
      id === undefined ? {} : { idOf: () => String(id) },
    )) {
      const file = path.split('/').at(-1) ?? '';
      await invoke(name, {
        ...(id === undefined ? {} : { id }),
        ...{ query, ...(json && { body: json }) },
        more: { headers, ...(id === undefined && { pathParameters: { file } }) },
      });
    }
  };
  const isOfUser = ROUTES.some(({ operation, path }) => operation === name && path.includes('{id}'));
  await (isOfUser ? changing(send) : send());
};

/** For functions whose examples do not reach all of their code, calls that do. */
const RUNS: Record<string, () => Promise<unknown>> = {
  // It reads the users of a new stage, and the user of an entry that it cannot read.
  fold: async () => {
    const own = await serviceOn.embedded({ tables: tablesOf(randomUUID()), isNew: true });
    await loadHandlers(own.tables, store.endpoint);
    const { handler } = await import('../../functions/fold.ts');
    await handler({}, timed);
    await own.users.createMany([person(1)]);
    const broken = { pk: JOURNAL, sk: entryKey({ id: 7, version: 1 }), after: 'no text of fields' };
    await putItems(own, own.tables.directory, [broken]);
    await handler({}, timed);
    expect((await readJournal(own)).entries).toEqual([]);
    // A merge after a week, which puts the names that somebody has in the place of those of before.
    await own.users.createMany([{ ...person(2), attributes: { team: 'red' } }]);
    await own.users.delete((await own.users.create({ ...person(3), attributes: { other: 1 } })).id);
    await handler({}, timed);
    await changeHead(own, { set: { base: { ...(await readHead(own))?.base, at: 1 } } });
    await handler({}, timed);
  },
  // Earlier writes are sent when they are folded.
  sendEvents: async () => {
    await fold({}, timed);
    await store.record(async () => {});
    await sendEvents({}, timed);
  },
  listUsers: () => list('listUsers', [...queriesOf('listUsers'), ...byCursor('listUsers')]),
  listAllUsers: () => list('listAllUsers', queriesOf('listAllUsers')),
  listUsersByCursor: () => list('listUsersByCursor', byCursor('listUsersByCursor')),
  searchUsers: () => list('searchUsers', queriesOf('searchUsers')),
  countUsers: () => list('countUsers', ['', 'by=status', 'by=status,country&country=same']),
  createUser: async () => {
    await create({});
    for (let time = 0; time < 2; time++) await create({ lastName: 'Lee' }, stage);
  },
  replaceUser: async () => {
    const headers = { 'content-type': 'application/json', 'if-match': '*' };
    const body = JSON.stringify({ name: 'Bea', lastName: 'Neu', age: 99 });
    await changing((id) => invoke('replaceUser', { id, more: { headers, body } }));
    const id = 600_000_000_000_000;
    const more = { headers: { 'content-type': 'application/json', 'if-none-match': '*' } };
    // The write is refused while the user exists, and at first when an earlier life began with a clock that was ahead.
    for (let time = 0; time < 2; time++) await invoke('replaceUser', { id, body: { name: 'Bea' }, more });
    await users.delete(id);
    await ahead.createWithId(id, { name: 'Bea' });
    await ahead.delete(id);
    await invoke('replaceUser', { id, body: { name: 'Bea' }, more });
  },
  patchUser: () => {
    const headers = { 'content-type': 'application/json', 'if-match': '*' };
    const body = JSON.stringify({ lastName: 'Neu', status: null, externalId: null });
    return changing((id) => invoke('patchUser', { id, more: { headers, body } }));
  },
  upsertUser: async () => {
    for (let n = 0; n < MANY; n++)
      await invoke('upsertUser', { query: `externalId=new${n % 30}`, body: { name: 'Bea', age: n } });
  },
  batchUsers: async () => {
    const batch = async (operations: object[], key = stage) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': key };
      await invoke('batchUsers', { more: { body: JSON.stringify({ operations }), headers } });
    };
    const ids = Array.from({ length: MANY }, (_, n) => 700_000_000_000_000 + n);
    const user = { name: 'Bea', lastName: 'Neu' };
    for (let time = 0; time < 2; time++)
      await batch([{ op: 'create', user }, ...ids.map((id) => ({ op: 'create', id, user }))]);
    await batch(ids.map((id) => ({ op: 'patch', id, patch: { externalId: `batch${id}` } })));
    await batch(ids.map((id) => ({ op: 'upsert', externalId: `batch${id}`, user: { ...user, age: 7 } })));
    await batch(ids.map((id) => ({ op: 'replace', id, user, ifMatch: '*' })));
    await batch(ids.map((id) => ({ op: 'delete', id })));
  },
  editUsers: async () => {
    await users.createMany(
      Array.from({ length: MANY }, () => ({ ...person(0), externalId: randomUUID(), status: 'new' })),
    );
    await fold({}, timed);
    await store.record(async () => {});
    const edit = (json: object, key: string) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': `${key}${stage}` };
      return invoke('editUsers', { query: 'status=new', more: { body: JSON.stringify(json), headers } });
    };
    await edit({ patch: { age: 7 }, dryRun: true }, 'no');
    for (let time = 0; time < 2; time++) await edit({ patch: { age: 7 }, atMost: 999 }, 'patch');
    await edit({ delete: true, atMost: 999 }, 'delete');
    const onBroken = await brokenStage();
    expect(await onBroken('editUsers', { body: EDIT })).toMatchObject({ statusCode: 503 });
  },
  getEdit: async () => {
    const own = await serviceOn.embedded({ tables });
    const { id } = await own.users.create({ name: 'Ann' });
    const { edit } = await createEdits(own, own).run(
      { filters: { id: [id] }, hash: '', atMost: 1, apply: (user) => ({ ...user, age: 7 }) },
      () => ({ status: 400, message: '', code: '' }),
    );
    await store.record(async () => {});
    await invoke('getEdit', { more: { pathParameters: { edit } } });
  },
  undoEdit: async () => {
    const own = await serviceOn.embedded({ tables });
    const created = await own.users.createMany(
      Array.from({ length: MANY }, (_, n) => ({ name: 'Ann', externalId: `undo${n}` })),
    );
    const edits = createEdits(own, own);
    const filters = { id: created.map(({ id }) => id) };
    const asked = { filters, hash: '', atMost: 999 };
    const fail = (error: unknown) => {
      throw error;
    };
    const patch = await edits.run({ ...asked, apply: (user) => ({ ...user, age: 7 }) }, fail);
    const { edit } = await edits.run({ ...asked, apply: undefined }, fail);
    await store.record(async () => {});
    const undo = (name: string) => invoke('undoEdit', { more: { pathParameters: { edit: name } } });
    for (const name of [edit, `${edit}-undo`, patch.edit]) await undo(name);
    // Another life began meanwhile.
    for (const { id } of created.slice(0, 1)) await own.users.createWithId(id, { name: 'Bea' });
    await undo(`${edit}-undo-undo`);
  },
  listChanges: async () => {
    await users.createMany([person(1_000)]);
    await fold({}, timed);
    await store.record(async () => {});
    for (const query of ['', 'after=now', 'size=1000']) await invoke('listChanges', { query });
  },
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
  test.each(FUNCTIONS)('are for %s exactly what it uses', async (name) => {
    const used = await permissionsUsed(RUNS[name] ?? byExamples(name as Operation));
    expect(log.faults.filter(({ message }) => !/(is set aside|within minutes)$/.test(message ?? ''))).toEqual([]);
    expect(
      used,
      `the permissions of functions/${name}.ts, in the words of tools/deploy/permissions.ts; RUNS of this test if its examples do not reach all of it`,
    ).toEqual(grantedTo(name));
  });

  test('have what spends a token wherever a user is written: an attempt without an answer is rare, and met by none of these calls', () => {
    const writers = FUNCTIONS.filter((name) => grantedTo(name).some((grant) => /^(Put|Delete)Item users$/.test(grant)));
    expect(writers).toEqual(
      expect.arrayContaining(['createUser', 'deleteUser', 'editUsers', 'undoEdit', 'batchUsers']),
    );
    for (const name of [...writers, 'fold']) expect(grantedTo(name), name).toContain('PutItem directory');
  });

  test('are more where e-mails are unique', async () => {
    vi.stubEnv('UNIQUE_EMAILS', 'true');
    const others = tablesOf(BUS);
    await serviceOn.embedded({ tables: others });
    invoke = await loadHandlers(others, store.endpoint);
    // Functions that list begin to read when they are loaded.
    await expect.poll(() => permissionsUsed(() => invoke('countUsers'))).toEqual(['Query directory']);
    // The replica that they begin with may still read the journal once more.
    for (let more = 0; more < 5; more++) await invoke('countUsers');
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
