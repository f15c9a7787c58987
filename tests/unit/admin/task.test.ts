import { beforeEach, describe, expect, test, vi } from 'vitest';
import { leftOf, runMany, stopTask, tasks } from '../../../admin/browser/data/task.ts';

// Another file of the same worker may have loaded the modules with its own replacements.
vi.hoisted(() => vi.resetModules());

vi.mock('../../../admin/browser/session/session.ts', () => ({
  settings: { api: '/prod/api' },
  session: { token: async () => undefined },
  may: () => false,
}));

/** The words of the page. */
let told: unknown[] = [];

vi.mock('../../../admin/browser/data/state.ts', () => ({
  shared: {},
  share: () => undefined,
  say: (text: string) => text.includes(': ') && told.push(text),
  tell: (text: string) => told.push(text),
}));

vi.hoisted(() => Object.assign(globalThis, { addEventListener: () => undefined }));

/** The answers of the service, one after another. */
let answers: (() => Response | Promise<Response>)[] = [];
let bodies: unknown[] = [];
/** The keys of the calls. */
let keys: (string | null)[] = [];

const answer = (left: number, failed: object[] = []) =>
  Response.json({ edit: 'e1', changed: 4 - left, unchanged: 0, failed, left });

const failure =
  (status: number, retryAfterS = 1) =>
  () =>
    Response.json({ message: 'busy' }, { status, headers: { 'retry-after': String(retryAfterS) } });

beforeEach(() => {
  [answers, bodies, told, keys] = [[], [], [], []];
  vi.stubGlobal('location', new URL('https://users.example/prod/api/admin'));
  vi.stubGlobal('fetch', async (_: URL, { body, headers }: RequestInit) => {
    bodies.push(body && JSON.parse(String(body)));
    const { 'idempotency-key': key = null, prefer } = headers as Record<string, string>;
    if (prefer === 'wait=2') keys.push(key);
    return (answers.shift() ?? (() => Response.error()))();
  });
});

const asked = { query: { status: 'new' }, json: { delete: true, atMost: 4 } };
const wanted = { path: '/edits', asked, doing: 'Deleting', done: 'Deleted', whom: 'All that match' };

describe('a change of many', () => {
  test('is asked for until nothing is left, says what was done, and how much of it meanwhile', async () => {
    answers = [() => answer(3), () => answer(1), () => answer(0)];
    const shares: number[] = [];
    await runMany({ ...wanted, onShare: (share) => void shares.push(share) });
    expect([shares, told, bodies]).toEqual([
      [0.25, 0.75, 1],
      ['Deleted: 4 users'],
      [asked.json, asked.json, asked.json],
    ]);
    expect(tasks.now).toBeUndefined();
  });

  test('is not called again once it is stopped, and goes on where it was', async () => {
    answers = [
      () => {
        stopTask();
        return answer(3);
      },
      () => answer(0),
    ];
    await runMany(wanted);
    expect([told, bodies]).toEqual([['Deleted so far: 1 user'], [asked.json]]);
    expect(tasks.now).toMatchObject({ done: 1, total: 4, isRunning: false });
    await tasks.now?.goOn();
    expect([told, bodies]).toEqual([
      ['Deleted so far: 1 user', 'Deleted: 4 users'],
      [asked.json, asked.json],
    ]);
  });

  test('is called again, as the same edit, until the service answers: a call without an answer may have been carried out', async () => {
    answers = [() => answer(3), failure(503), () => Promise.reject(new TypeError()), failure(409), () => answer(0)];
    vi.useFakeTimers();
    const done = runMany(wanted);
    // The service says when to try again, but for a lost connection.
    await vi.advanceTimersByTimeAsync(1_000);
    expect(tasks.now).toMatchObject({ done: 1, isRunning: true, failure: { status: 0 } });
    await vi.advanceTimersByTimeAsync(6_000);
    await done;
    vi.useRealTimers();
    expect([told, bodies]).toEqual([['Deleted: 4 users'], new Array(5).fill(asked.json)]);
    // A key of this edit alone: after a lost answer, too, the service goes on with it.
    const [key = null] = keys;
    expect(keys).toEqual(new Array(5).fill(key));
    expect(key).toMatch(/^(\d+-){3}\d+$/);
    answers = [() => answer(0)];
    await runMany(wanted);
    expect(keys[5]).not.toBe(key);
  });

  test('ends with a refusal, or after twelve calls in vain, says what it has done by then, and can go on', async () => {
    answers = [() => answer(3), () => Response.json({ message: 'No more' }, { status: 403 })];
    await expect(runMany(wanted)).rejects.toMatchObject({ status: 403 });
    expect([told, bodies.length]).toEqual([['Deleted so far: 1 user'], 2]);
    expect(tasks.now).toMatchObject({ done: 1, isRunning: false, failure: { status: 403 } });
    vi.useFakeTimers();
    const inVain = expect(runMany(wanted)).rejects.toMatchObject({ status: 0 });
    await vi.advanceTimersByTimeAsync(60_000);
    await inVain;
    vi.useRealTimers();
    expect([told.at(-1), bodies.length]).toEqual(['Deleting: It is not known whether it was done: Status 0', 14]);
    answers = [() => answer(0)];
    await tasks.now?.goOn();
    expect(told.at(-1)).toBe('Deleted: 4 users');
  });

  test('waits no longer for the next call once it is stopped', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answers = [
      () => answer(3),
      () => {
        resolve();
        return failure(503, 3_600)();
      },
    ];
    const stopped = expect(runMany(wanted)).rejects.toMatchObject({ status: 503 });
    await promise;
    await vi.waitUntil(() => tasks.now?.failure !== undefined);
    stopTask();
    await stopped;
    expect([told, tasks.now?.isRunning]).toEqual([['Deleted so far: 1 user'], false]);
  });

  test('is the only one of a tab', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    answers = [() => promise];
    const first = runMany(wanted);
    await expect(runMany(wanted)).rejects.toMatchObject({ status: 409 });
    resolve(answer(0));
    await first;
    expect(bodies).toEqual([asked.json]);
  });

  test('names those who failed, and gives their ids where nobody knows the names', async () => {
    const failed = [
      { id: 7, message: 'The user has changed since the edit' },
      { id: 8, message: 'There is a user with this email' },
    ];
    answers = [
      () => answer(2, failed),
      () => Response.json({ content: [{ id: 7, name: 'Ann Lee' }] }),
      () => answer(0, failed),
    ];
    answers.push(() => Response.json({ content: [] }));
    await runMany(wanted);
    expect(told).toEqual([
      'Deleted: 4 users, 2 not: Ann Lee (The user has changed since the edit), 8 (There is a user with this email)',
    ]);
  });
});

test.each([
  // Too soon to tell, and too little of it.
  [2, { total: 100, done: 50, since: 0 }, undefined],
  [60, { total: 1_000, done: 40, since: 0 }, undefined],
  [10, { total: 0, done: 0, since: 0 }, undefined],
  [10, { total: 100, done: 50, since: 0 }, 'about 10 s left'],
  [10, { total: 100, done: 99, since: 0 }, 'about 5 s left'],
  [60, { total: 1_000, done: 100, since: 0 }, 'about 9 min left'],
  // It has gone on after a stop.
  [10, { total: 100, done: 60, since: 50 }, 'about 40 s left'],
])('after %d s a change of many tells of %j: %s', (s, { since, ...task }, told) => {
  vi.useFakeTimers({ now: s * 1_000 });
  expect(leftOf({ ...task, since: { ms: 0, done: since } })).toBe(told);
  vi.useRealTimers();
});
