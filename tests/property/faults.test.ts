import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '../../lib/users/database.ts';
import { createFold } from '../../lib/users/fold/fold.ts';
import { SIZES } from '../../lib/users/sizes.ts';
import { createUserStore } from '../../lib/users/store.ts';
import { useLocalCredentials } from '../../tools/local/environment.ts';
import type { Invoke } from '../support/calls.ts';
import { context } from '../support/events.ts';
import { checkCounts } from '../support/fake/counts.ts';
import { faultOf, faultyLine } from '../support/fake/faults.ts';
import { loadHandlersOn } from '../support/fake/handlers.ts';
import type { Reached } from '../support/fake/sdk.ts';
import { foldAll, settled, usersOf } from '../support/fake/steps.ts';
import { FakeStore, TABLES } from '../support/fake/store.ts';
import { captureLog } from '../support/logs.ts';
import { HISTORY_DAYS } from '../support/service.ts';

/** Chaos has every fault at random. Here are those that come one after another, and the end of a request's time. */

let time = 1_790_000_000_000;
let ticks = 0;
const runtime = {
  now: () => time,
  monotonic: () => time,
  random: () => (ticks++ % 97) / 97,
  sleep: async (milliseconds: number) => {
    time += milliseconds;
  },
};

const direct = (store: FakeStore): Database => ({ dynamo: store.client(), tables: TABLES, runtime, sizes: SIZES });

/** A store in which some users are folded, and the last one is in the journal. */
let prepared: FakeStore;
let someone = 0;
let reached: Reached;
let invoke: Invoke;
let etag = '';

const fresh = () => {
  ticks = 0;
  return prepared.copy();
};

beforeAll(async () => {
  useLocalCredentials();
  vi.stubEnv('AWS_REGION', 'local');
  captureLog();
  prepared = new FakeStore({ now: () => time });
  const users = createUserStore(direct(prepared));
  someone = (await users.create({ name: 'Ann', lastName: 'Aba', status: 'on' })).id;
  await createFold(direct(prepared), { restMs: 0, historyDays: HISTORY_DAYS }).run(60_000);
  await users.create({ name: 'Bea' });
  invoke = await loadHandlersOn(() => reached, runtime);
  reached = { store: fresh(), line: faultyLine().line };
  etag = String((await invoke('getUser', { id: someone })).headers?.etag);
});

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.resetModules();
});

const body = { name: 'New', lastName: 'Abab' };
const json = (type: string, more = {}) => ({ headers: { 'Content-Type': `application/${type}`, ...more } });
const replaceName = { op: 'replace', path: '/name', value: 'New' };

const WRITES: Record<string, () => Parameters<Invoke>> = {
  'a create': () => ['createUser', { body }],
  'a create with a key': () => ['createUser', { body, more: json('json', { 'Idempotency-Key': 'k' }) }],
  'a replacement': () => ['replaceUser', { id: someone, body }],
  'a merge patch': () => ['patchUser', { id: someone, body: { lastName: null, status: 'off' } }],
  'a patch with If-Match': () => {
    const more = json('merge-patch+json', { 'If-Match': etag });
    return ['patchUser', { id: someone, body: { name: 'New' }, more }];
  },
  'a JSON patch with a test': () => {
    const tested = [{ op: 'test', path: '/name', value: 'Ann' }, replaceName];
    return ['patchUser', { id: someone, body: tested, more: json('json-patch+json') }];
  },
  'a deletion': () => ['deleteUser', { id: someone }],
};

/** Without ids, which differ: the service draws new ones. */
const fieldsOf = (store: FakeStore) => usersOf(store).map(({ id: _, ...fields }) => fields);

const HAPPENINGS = [
  'first attempt arrives when all is over',
  'first attempt arrives before the second',
  'connection lost after',
];

test.each(HAPPENINGS.flatMap((name) => Object.entries(WRITES).map(([what, ask]) => [what, name, ask] as const)))(
  'several attempts of %s have the effect and the response of one: %s, then a conflict',
  async (_, name, ask) => {
    const faults = [faultOf(name), faultOf('conflict in the reasons')];
    const happy = faultyLine();
    const wanted = fresh();
    reached = { store: wanted, line: happy.line };
    const expected = await invoke(...ask());

    const store = fresh();
    const { line, commands, land } = faultyLine(faults, happy.commands.indexOf('TransactWriteCommand'));
    reached = { store, line };
    const { statusCode, json: user } = await invoke(...ask());
    await land();
    expect(statusCode).toBe(expected.statusCode);
    expect(statusCode).toBeLessThan(300);
    expect(fieldsOf(store)).toEqual(fieldsOf(wanted));
    if (statusCode !== 204) expect(usersOf(store)).toContainEqual(user);
    expect(commands).toHaveLength(happy.commands.length + faults.length);
    expect(await foldAll(direct(store), HISTORY_DAYS)).toBe(0);
    checkCounts(store);
  },
);

test.each(['arrives after it', 'meets a conflict after it'] as const)(
  'a request that ran out of time does not replace a later write, if its attempt %s',
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
