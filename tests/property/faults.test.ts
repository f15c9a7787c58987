import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../lib/users/database.ts';
import { createFold } from '../../lib/users/fold/fold.ts';
import { readHead } from '../../lib/users/journal/items.ts';
import { createUserListing } from '../../lib/users/listing/listing.ts';
import { compareChanges } from '../../lib/users/rebuild/compareChanges.ts';
import { SIZES, type Sizes } from '../../lib/users/sizes.ts';
import { createUserStore } from '../../lib/users/store.ts';
import type { UserFields } from '../../lib/users/user.ts';
import { toUser } from '../../lib/users/userItem.ts';
import { useLocalCredentials } from '../../tools/local/environment.ts';
import type { Invoke } from '../support/calls.ts';
import { context } from '../support/events.ts';
import { checkCounts } from '../support/fake/counts.ts';
import { FAULTS, type Fault, faultOf, faultyLine } from '../support/fake/faults.ts';
import { loadHandlersOn } from '../support/fake/handlers.ts';
import type { Reached } from '../support/fake/sdk.ts';
import { foldAll, settled, usersOf } from '../support/fake/steps.ts';
import { FakeStore, TABLES } from '../support/fake/store.ts';
import { captureLog } from '../support/logs.ts';
import type { ModelUser } from '../support/model.ts';
import { expectPage } from '../support/questions.ts';
import { HISTORY_DAYS } from '../support/service.ts';

/** One case of so many is tried. `npm run test:long` tries all of them. */
const STRIDE = process.env.LONG ? 1 : 7;

/** So small that a fold of a few users splits nodes and segments. */
const TINY: Sizes = { ...SIZES, nodeBytes: 60, segmentUsers: 12, sumUsers: 30, nearUsers: 2 };

const START = 1_790_000_000_000;
let time = START;
let ticks = 0;
const runtime = {
  now: () => time,
  monotonic: () => time,
  random: () => (ticks++ % 97) / 97,
  sleep: async (milliseconds: number) => {
    time += milliseconds;
  },
};

const PEOPLE: UserFields[] = Array.from({ length: 16 }, (_, i) => ({
  name: `User ${i}`,
  lastName: ['Ab', 'Aba', 'Bab', 'Cab'][i % 4] ?? '',
  age: i % 3,
  email: `${i}@b.de`,
  status: ['on', 'off'][i % 2] ?? '',
  country: ['DE', 'FR'][i % 2] ?? '',
}));

const direct = (store: FakeStore): Database => ({ dynamo: store.client(), tables: TABLES, runtime, sizes: TINY });

/** A store in which most users are folded, and the last writes are in the journal. */
let prepared: FakeStore;
let someone = 0;

const fresh = () => {
  [time, ticks] = [START + 3_600_000, 0];
  return prepared.copy();
};

beforeAll(async () => {
  useLocalCredentials();
  vi.stubEnv('AWS_REGION', 'local');
  captureLog();
  prepared = new FakeStore({ now: () => time });
  const users = createUserStore(direct(prepared));
  const created = await users.createMany(PEOPLE.slice(0, 11));
  await createFold(direct(prepared), { restMs: 0, historyDays: HISTORY_DAYS }).run(60_000);
  await users.createMany(PEOPLE.slice(11));
  await users.delete(created[3]?.id ?? 0);
  await users.update(created[4]?.id ?? 0, () => ({ name: 'Zoe', lastName: 'Ba', country: 'DE' }));
  someone = created[5]?.id ?? 0;
});

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** Folds what is left, and compares everything with the users. */
async function checkAtRest(store: FakeStore): Promise<void> {
  const left = await foldAll(direct(store), HISTORY_DAYS);
  if (left !== 0) throw new Error(`${left} entries are left`);
  checkCounts(store);
  const users = store.itemsOf('users').map(toUser);
  expect((await compareChanges(direct(store), await readHead(direct(store)), users)).wrong).toBe(0);
  for (const keyword of [{}, { keyword: 'b' }]) {
    const asked = { ...keyword, sort: [{ property: 'lastName', direction: 'desc' } as const], page: 1, size: 4 };
    await expectPage(createUserListing(direct(store)), usersOf(store), asked);
  }
}

/** The calls of a happy path, each with every fault that it can meet. Of these cases, the stride chooses some. */
function casesOf(commands: readonly string[]): { fault: Fault; at: number }[] {
  const all = commands.flatMap((command, at) =>
    FAULTS.filter(({ of }) => of.test(command)).map((fault) => ({ fault, at })),
  );
  return all.filter((_, i) => i % STRIDE === 0);
}

/** Runs all cases and collects what fails. */
async function collect(cases: { fault: Fault; at: number }[], run: (fault: Fault, at: number) => Promise<void>) {
  const failures: string[] = [];
  for (const { fault, at } of cases) {
    await run(fault, at).catch((error: Error) => failures.push(`call ${at}, ${fault.name}: ${error.message}`));
  }
  return failures;
}

interface Request {
  name: string;
  asked: () => Parameters<Invoke>;
  /** Checks the user before and after it, if it changes one. A new user is the one who is called New. */
  becomes?: (before: ModelUser | undefined, after: ModelUser | undefined) => void;
  /** A status that a retry may get because the first attempt was carried out. */
  retried?: number;
}

describe('a request', () => {
  let reached: Reached;
  let invoke: Invoke;
  let etag = '';

  beforeAll(async () => {
    invoke = await loadHandlersOn(() => reached, runtime, TINY);
    reached = { store: fresh(), line: faultyLine().line };
    etag = String((await invoke('getUser', { id: someone })).headers?.etag);
  });

  const ask = ({ asked }: Request) => invoke(...asked());
  const body = { name: 'New', lastName: 'Abab', status: 'on' };
  const json = (type: string, more = {}) => ({ headers: { 'Content-Type': `application/${type}`, ...more } });
  const isNew = (_: unknown, after: ModelUser | undefined) => expect(after).toMatchObject({ name: 'New' });
  const replaceName = { op: 'replace', path: '/name', value: 'New' };
  const patch = (patchBody: unknown, more = {}): Parameters<Invoke> => [
    'patchUser',
    { id: someone, body: patchBody, ...more },
  ];

  const reads: [operation: Parameters<Invoke>[0], query: string][] = [
    ['listUsers', ''],
    ['listUsers', 'sort=name&page=2&size=3'],
    ['listUsers', 'sort=status,desc&sort=age&size=5&page=1'],
    ['listUsers', 'keyword=ab&sort=lastName&size=3&page=1'],
    ['listUsers', 'country=DE&status=off&keyword=b'],
    ['listUsers', 'email=5@b.de'],
    ['listUsersByCursor', 'cursor=0&status=on'],
    ['searchUsers', 'keyword=ba&status=on&sort=firstName'],
    ['listAllUsers', 'sort=age,desc'],
  ];
  const writes: Request[] = [
    { name: 'createUser', asked: () => ['createUser', { body }] },
    {
      name: 'createUser with a key',
      asked: () => ['createUser', { body, more: json('json', { 'Idempotency-Key': 'k' }) }],
      becomes: isNew,
    },
    {
      name: 'replaceUser',
      asked: () => ['replaceUser', { id: someone, body }],
      becomes: (_, after) => expect(after).toMatchObject(body),
    },
    {
      name: 'patchUser by a merge patch',
      asked: () => patch({ lastName: null, country: 'FR' }),
      becomes: (before, after) => {
        const { lastName: _, ...kept } = before ?? {};
        expect(after).toEqual({ ...kept, country: 'FR' });
      },
    },
    {
      name: 'patchUser by a JSON patch',
      asked: () => patch([replaceName], { more: json('json-patch+json') }),
      becomes: isNew,
    },
    {
      name: 'patchUser with If-Match',
      asked: () => patch({ name: 'New' }, { more: json('merge-patch+json', { 'If-Match': etag }) }),
      becomes: isNew,
      retried: 412,
    },
    {
      name: 'patchUser by a JSON patch with a test',
      asked: () => {
        const tested = [{ op: 'test', path: '/name', value: 'User 5' }, replaceName];
        return patch(tested, { more: json('json-patch+json') });
      },
      becomes: isNew,
      retried: 409,
    },
    {
      name: 'deleteUser',
      asked: () => ['deleteUser', { id: someone }],
      becomes: (_, after) => expect(after).toBeUndefined(),
      retried: 404,
    },
  ];
  const requests: Request[] = [
    ...reads.map(
      ([operation, query]): Request => ({ name: `${operation} ${query}`, asked: () => [operation, { query }] }),
    ),
    { name: 'getUser', asked: () => ['getUser', { id: someone }] },
    ...writes,
  ];

  /** The user whom a request is about. @throws when there are two */
  function subject(users: ModelUser[]): ModelUser | undefined {
    const [found, another] = users.filter(({ id, name }) => name === 'New' || id === someone).toSorted(byNew);
    if (another?.name === 'New') throw new Error('Two users were created');
    return found;
  }
  const byNew = (a: ModelUser, b: ModelUser) => Number(b.name === 'New') - Number(a.name === 'New');

  test.each(requests)('of $name may meet any fault in any call', { timeout: 600_000 }, async (request) => {
    const { becomes } = request;
    const happy = faultyLine();
    reached = { store: fresh(), line: happy.line };
    const before = subject(usersOf(reached.store));
    const expected = await ask(request);
    expect(expected.statusCode).toBeLessThan(300);
    becomes?.(before, subject(usersOf(reached.store)));
    const cases = casesOf(happy.commands);

    const failures = await collect(cases, async (fault, at) => {
      const store = fresh();
      const { line, death, land } = faultyLine([fault], at);
      reached = { store, line };
      const check = ({ statusCode, json: content }: Awaited<ReturnType<Invoke>>) => {
        if (!becomes && statusCode === 200) expect(content).toEqual(expected.json);
        becomes?.(before, subject(usersOf(store)));
      };
      const first = await Promise.race([ask(request), death]);
      checkCounts(store);
      await land();
      if (first !== 'died' && first.statusCode === expected.statusCode) check(first);
      else if (first !== 'died') expect([first.statusCode, first.headers?.['retry-after']]).toEqual([503, '1']);

      reached = { store, line: faultyLine().line };
      const second = await ask(request);
      expect([expected.statusCode, request.retried]).toContain(second.statusCode);
      check(second);
      checkCounts(store);
      await checkAtRest(store);
    });
    expect(cases.length).toBeGreaterThan(0);
    expect(failures).toEqual([]);
  });

  describe('several attempts of one write', () => {
    /** Without ids, which differ: the service draws new ones. */
    const fieldsOf = (store: FakeStore) => usersOf(store).map(({ id: _, ...fields }) => fields);
    const SEQUENCES = [
      'first attempt arrives when all is over',
      'first attempt arrives before the second',
      'connection lost after',
    ].flatMap((name) => writes.map((request) => [request.name, name, request] as const));

    test.each(SEQUENCES)(
      'of %s have the effect and the response of one: %s, then a conflict',
      async (_, name, request) => {
        const faults = [faultOf(name), faultOf('conflict in the reasons')];
        const happy = faultyLine();
        const wanted = fresh();
        reached = { store: wanted, line: happy.line };
        const expected = await ask(request);

        const store = fresh();
        const { line, commands, land } = faultyLine(faults, happy.commands.indexOf('TransactWriteCommand'));
        reached = { store, line };
        const { statusCode, json: user } = await ask(request);
        await land();
        expect(statusCode).toBe(expected.statusCode);
        expect(fieldsOf(store)).toEqual(fieldsOf(wanted));
        if (statusCode !== 204) expect(usersOf(store)).toContainEqual(user);
        expect(commands).toHaveLength(happy.commands.length + faults.length);
        await checkAtRest(store);
      },
    );
  });

  test.each(['arrives after it', 'meets a conflict after it'] as const)(
    'that ran out of time does not replace a later write, if its attempt %s',
    async (happening) => {
      const store = fresh();
      const { promise: gate, resolve: goOn } = Promise.withResolvers<void>();
      let ended: Promise<unknown> = Promise.resolve();
      const slow = faultyLine(
        [
          {
            name: 'slow',
            of: /^/,
            attempt(call, execute, on) {
              const conflict = () => faultOf('conflict in the reasons').attempt(call, execute, on);
              const attempt = gate.then(happening === 'arrives after it' ? execute : conflict);
              ended = attempt.catch(() => {});
              return attempt;
            },
          },
        ],
        1,
      );
      reached = { store, line: slow.line };
      // 500 ms are reserved for the response.
      const hurried = { ...context, getRemainingTimeInMillis: () => 700 };
      const first = await invoke('replaceUser', { id: someone, body: { name: 'A' }, context: hurried });
      expect(first).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1' } });
      expect(slow.commands).toEqual(['GetCommand', 'TransactWriteCommand']);
      expect((await invoke('replaceUser', { id: someone, body: { name: 'B' } })).statusCode).toBe(200);
      const calls = slow.commands.length;
      goOn();
      await ended;
      for (let turns = 0; turns < 100; turns++) await settled();
      expect(usersOf(store).find(({ id }) => id === someone)).toMatchObject({ name: 'B' });
      expect(slow.commands).toHaveLength(calls);
    },
  );
});
