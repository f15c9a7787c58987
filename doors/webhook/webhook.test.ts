import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { caller, createOver } from '../../tests/support/httpService.ts';
import { serviceForFile } from '../../tests/support/localService.ts';
import { SECRET, sentIn, startReceiver, verify } from '../../tests/support/webhooks.ts';
import door from './door.ts';
import type { State } from './state.ts';

/** Changes are in the feed a second after the write. */
const service = await serviceForFile({ env: { JOURNAL_REST_MS: '0' } });
const call = caller(service.url);
const create = createOver(call);

let log: string[] = [];
const losses = () => log.filter((line) => line.startsWith('LOST'));

beforeEach(() => {
  log = [];
  const note = (line: unknown) => void log.push(String(line));
  vi.spyOn(console, 'log').mockImplementation(note);
  vi.spyOn(console, 'error').mockImplementation(note);
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000];
const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

/** A door, whose memory is here. It begins at once. */
async function startDoor(to: string) {
  let last: unknown;
  const keep = async (state: object) => {
    last = JSON.parse(JSON.stringify(state));
  };
  /** A run. @returns the message of its failure, or an empty text */
  const run = (settings: Record<string, string> = {}): Promise<string> =>
    door
      .follow({ url: service.url, token: SECRET, TO: to, ...settings })({ last, keep }, () => true)
      .then(() => '', String);
  expect(await run()).toBe('');
  return {
    run,
    state: () => last as State,
    change: (changed: Partial<State>) => keep({ ...(last as State), ...changed }),
    /** Runs each minute, as the schedule does. */
    async runFor(milliseconds: number): Promise<void> {
      for (let passed = 0; passed < milliseconds; passed += MINUTE_MS) {
        later(MINUTE_MS);
        await run();
      }
    },
  };
}

/** Waits until the feed has a change. A poll of vitest would change the time. */
async function inFeed(id: number, version: number): Promise<void> {
  for (;;) {
    const { body } = await call('GET', `/api/users/changes?id=${id}`);
    if ((body as { changes: { version: number }[] }).changes.at(-1)?.version === version) return;
    await setTimeout(100);
  }
}

/** A user with changes, all in the feed. */
async function person(name: string, versions = 1): Promise<number> {
  const { id } = await create({ name });
  for (let version = 2; version <= versions; version++)
    await call('PATCH', `/api/users/${id}`, { json: { age: version } });
  await inFeed(id, versions);
  return id;
}

test.each<[string, Parameters<typeof startReceiver>[0], RegExp]>([
  ['answers 500', (response) => response.writeHead(500).end(), /: 500$/],
  ['answers 400', (response) => response.writeHead(400).end('{"message":"No"}'), /: 400$/],
  [
    'redirects',
    (response) => response.writeHead(307, { location: '/elsewhere' }).end(),
    /: 307, a redirect to http:\/\/127\.0\.0\.1:\d+\/elsewhere, which is not followed$/,
  ],
  ['closes the connection', (response) => response.destroy(), /: no answer: /],
  ['is slow', () => new Promise(() => {}), /: no answer within 15 seconds$/],
])('a receiver that %s gets the same change five seconds later, and others meanwhile', async (_, answer, said) => {
  let ann = 0;
  const { url, got, triesOf, taken } = await startReceiver((response, each) =>
    each.id === ann && triesOf(ann).length === 1 ? answer?.(response, each, 1) : undefined,
  );
  const { run } = await startDoor(url);
  ann = await person('Ann', 2);
  const bea = await person('Bea');
  expect(await run()).toBe('');
  expect([taken(ann), taken(bea)]).toEqual([[], [1]]);
  expect(log.filter((line) => line.startsWith(`User ${ann}`))).toEqual([
    expect.stringMatching(said),
    `User ${ann} waits: the next try is in 5 seconds`,
  ]);
  later(4_000);
  await run();
  expect(triesOf(ann).length).toBe(1);
  later(1_000);
  expect(await run()).toBe('');
  expect(taken(ann)).toEqual([1, 2]);
  const [first, second] = triesOf(ann).map(sentIn);
  expect(second?.[0]).toBe(first?.[0]);
  expect(Number(second?.[1]) - Number(first?.[1])).toBe(5);
  verify(got.at(-1) as (typeof got)[0]);
  expect(got.map(({ path }) => path)).toEqual(got.map(() => '/'));
  expect(losses()).toEqual([]);
});

test('changes of many writers come in order for each user, whatever fails', async () => {
  let people: number[] = [];
  const { url, got, taken, triesOf } = await startReceiver((response, { id }, count) => {
    if (people.includes(id) && count % 3 === 0) response.writeHead(500).end();
  });
  const { run } = await startDoor(url);
  people = await Promise.all(['Ann', 'Bea', 'Cid', 'Dan', 'Eve'].map((name) => person(name, 8)));
  for (let i = 0; i < 100 && people.some((id) => taken(id).length < 8); i++) {
    await run();
    later(10 * MINUTE_MS);
  }
  const all = [1, 2, 3, 4, 5, 6, 7, 8];
  expect(people.map(taken)).toEqual(people.map(() => all));
  expect(got.length).toBeGreaterThan(50);
  // No change before the one before it was taken.
  for (const id of people) {
    const order = triesOf(id).map(({ version }) => version);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  }
});

test('a change that is never taken is tried for three days by the schedule of Standard Webhooks, and then set aside', async () => {
  let ann = 0;
  const { url, taken, triesOf } = await startReceiver((response, { id, version }) => {
    if (id === ann && version === 1) response.writeHead(422).end();
  });
  const { run } = await startDoor(url);
  ann = await person('Ann', 2);
  const bea = await person('Bea');
  await run();
  const hours = [2, 5, 10, 14, 20, 24].map((each) => each * HOUR_MS);
  const delays = [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, ...hours];
  let version = 1;
  for (const [i, delay] of delays.entries()) {
    expect([triesOf(ann).length, losses()]).toEqual([i + 1, []]);
    // The receiver takes others, so this change alone is wrong.
    await call('PATCH', `/api/users/${bea}`, { json: { age: i } });
    await inFeed(bea, ++version);
    later(delay - 1);
    await run();
    expect(triesOf(ann).length).toBe(i + 1);
    later(1);
    expect(await run()).toBe('');
  }
  expect(losses()).toEqual([
    `LOST: Version 1 of user ${ann} was not taken 10 times, and is set aside. See doors/webhook/README.md`,
  ]);
  expect([taken(ann), triesOf(ann).length, taken(bea).length]).toEqual([[2], 11, 10]);
});

test('a receiver that is away for a day gets everything, once and in order, within an hour of its return', async () => {
  let [isAway, tries] = [false, 0];
  const { url, taken } = await startReceiver((response) => {
    if (isAway) response.destroy();
    tries += Number(isAway);
  });
  const { run, runFor, state } = await startDoor(url);
  isAway = true;
  const people: number[] = [];
  for (const hours of [1, 10, 13]) {
    people.push(...(await Promise.all(Array.from({ length: 9 }, () => person('Ann', 3)))));
    await runFor(hours * HOUR_MS);
    expect(await run()).toMatch(/ is away: the last \d+ tries have failed\. All changes wait$/);
  }
  expect([people.flatMap(taken), losses()]).toEqual([[], []]);
  // A batch, four tries, and one each hour.
  expect(tries).toBeLessThan(40);
  isAway = false;
  await runFor(HOUR_MS);
  expect(people.map(taken)).toEqual(people.map(() => [1, 2, 3]));
  expect([state().waiting, state().failures, losses()]).toEqual([{}, 0, []]);
});

test('all who wait follow at once when the receiver is back, however long they would have waited', async () => {
  let isAway = true;
  const { url, taken, triesOf } = await startReceiver((response) => isAway && response.destroy());
  const { run, state } = await startDoor(url);
  const ann = await person('Ann', 2);
  await run();
  for (const delay of [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS]) {
    later(delay);
    await run();
  }
  expect([triesOf(ann).length, state().waiting[ann]?.next]).toEqual([4, Date.now() + 2 * HOUR_MS]);
  const bea = await person('Bea');
  expect(await run()).toMatch(/ is away: the last 5 tries have failed/);
  isAway = false;
  later(5 * SECOND_MS);
  expect([await run(), taken(ann), taken(bea)]).toEqual(['', [1, 2], [1]]);
});

test('one change that fails alone for days is not set aside, as nothing says that the receiver is there', async () => {
  let isFailing = true;
  const { url, taken } = await startReceiver((response) => {
    if (isFailing) response.writeHead(502).end();
  });
  const { run, runFor } = await startDoor(url);
  const ann = await person('Ann', 2);
  await run();
  await runFor(100 * HOUR_MS);
  expect([taken(ann), losses()]).toEqual([[], []]);
  isFailing = false;
  await runFor(HOUR_MS);
  expect(taken(ann)).toEqual([1, 2]);
});

test.each([
  ['429', 'Retry-After: 90', 429, '90', 90],
  ['503', 'a Retry-After of a day', 503, '86400', 3_600],
  ['503', 'a moment', 503, () => new Date(Date.now() + 120_000).toUTCString(), 120],
])('a receiver that answers %s with %s gets nothing before', async (_, __, status, retryAfter, seconds) => {
  let isBusy = true;
  const { url, got, taken } = await startReceiver((response) => {
    const value = typeof retryAfter === 'string' ? retryAfter : retryAfter();
    if (isBusy) response.writeHead(status, { 'retry-after': value }).end();
  });
  const { run, state } = await startDoor(url);
  const ann = await person('Ann');
  await run();
  isBusy = false;
  const bea = await person('Bea');
  expect(state().waiting[ann]?.tries).toBe(status === 429 ? 0 : 1);
  later((seconds - 2) * SECOND_MS);
  await run();
  expect(got.length).toBe(1);
  later(2 * SECOND_MS);
  await run();
  expect([taken(ann), taken(bea)]).toEqual([[1], [1]]);
});

test('a receiver that answers 410 gets nothing more until the door is deployed again, which goes on where it was', async () => {
  let isGone = true;
  const { url, got, taken } = await startReceiver((response) => {
    if (isGone) response.writeHead(410).end();
  });
  const { run, runFor } = await startDoor(url);
  const ann = await person('Ann', 2);
  const sentence = `Error: ${url} has answered 410: nothing is sent until the door is deployed again`;
  expect(await run({ DEPLOYMENT: 'first' })).toBe(sentence);
  isGone = false;
  const bea = await person('Bea');
  later(HOUR_MS);
  expect(await run({ DEPLOYMENT: 'first' })).toBe(sentence);
  expect(got.length).toBe(1);
  expect(await run({ DEPLOYMENT: 'second' })).toBe('');
  await runFor(10 * MINUTE_MS);
  expect([taken(ann), taken(bea)]).toEqual([[1, 2], [1]]);
});

describe('a place that the feed has forgotten', () => {
  const other = (place: string) => place.replace(/^\w+/, 'zzzzzz');

  test('is told, and all changes that are kept follow', async () => {
    const { url, got } = await startReceiver();
    const { run, state, change } = await startDoor(url);
    const ann = await person('Ann');
    await change({ after: other(state().after) });
    expect(await run()).toBe('');
    expect(losses()).toEqual([
      'LOST: Changes that were not sent are no longer kept. All that are kept follow. See doors/webhook/README.md',
    ]);
    const { body } = await call('GET', '/api/users/changes?size=1000');
    const { changes } = body as { changes: { id: number; version: number }[] };
    const names = (all: typeof changes) => all.map(({ id, version }) => `${id} ${version}`);
    expect(names(got).toSorted()).toEqual(names(changes).toSorted());
    expect(got.at(-1)?.id).toBe(ann);
  });

  test('of a user who waits is told, and later changes of the user follow', async () => {
    let ann = 0;
    const { url, taken } = await startReceiver((response, { id, version }) => {
      if (id === ann && version === 1) response.writeHead(500).end();
    });
    const { run, state, change } = await startDoor(url);
    ann = await person('Ann');
    await run();
    const { waiting } = state();
    await change({ waiting: { [ann]: { ...waiting[ann], after: other(waiting[ann]?.after ?? '') } as never } });
    later(5 * SECOND_MS);
    expect(await run()).toBe('');
    expect(losses()).toEqual([
      `LOST: Changes of user ${ann} from version 1 on are no longer kept. See doors/webhook/README.md`,
    ]);
    await call('DELETE', `/api/users/${ann}`);
    await inFeed(ann, 2);
    await run();
    expect(taken(ann)).toEqual([2]);
  });
});

test('no more of the feed is read while a thousand users wait', async () => {
  const { url, got } = await startReceiver();
  const { run, change, state } = await startDoor(url);
  const ann = await person('Ann');
  const waits = { after: state().after, from: 1, upTo: 1, tries: 1, next: Date.now() + HOUR_MS };
  await change({ waiting: Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [i + 1, waits])) });
  expect([await run(), got.length]).toEqual(['', 0]);
  await change({ waiting: Object.fromEntries(Object.entries(state().waiting).slice(1)) });
  expect([await run(), got.map(({ id }) => id)]).toEqual(['', [ann]]);
});

test('a change that was erased is sent as the feed shows it: without its user', async () => {
  const { url, got } = await startReceiver();
  const { run } = await startDoor(url);
  const id = await person('Ann');
  await call('DELETE', `/api/users/${id}/changes`);
  await run();
  const at = expect.any(String);
  expect(got.map(({ body }) => JSON.parse(body))).toEqual([
    { type: 'user.created', timestamp: at, data: { id, version: 1, type: 'created', at } },
  ]);
});

test.each([
  ['cannot reach the service', 'http://127.0.0.1:9', /fetch failed/],
  ['gets a page of something else', `${service.url}/nowhere`, /responded with 404/],
])('a door that %s fails, and says why', async (_, url, said) => {
  const { run } = await startDoor((await startReceiver()).url);
  expect(await run({ url })).toMatch(said);
});

test.each(['', 'secret', 'whsec_c2hvcnQ=', `${SECRET} whsec_`])('the signing secret %j is refused', (token) => {
  const sentence = 'A signing secret is whsec_ and 24 to 64 bytes in base64';
  expect(() => door.follow({ url: service.url, token, TO: 'https://example.com' })).toThrow(sentence);
});
