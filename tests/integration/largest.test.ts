/** Answers whose size follows from what users contain: each is asked for the most, as Lambda sends it. */
import { describe, expect, test } from 'vitest';
import type { Operation } from '../../lib/http/routes.ts';
import { largestFields } from '../support/arbitraries.ts';
import { loadHandlersOn } from '../support/fake/handlers.ts';
import { DIRECT } from '../support/fake/store.ts';
import { logOfEachTest } from '../support/logs.ts';
import { serviceOn } from '../support/service.ts';

logOfEachTest();

/** Bytes of a response that Lambda sends. */
const MOST_OF_LAMBDA = 6_000_000;

/** In JSON inside JSON a quotation mark takes four bytes; in JSON lines a line separator takes seven, where users have three. */
const WORST = ['"', '\u2028', '😀'];

const ORIGIN = { by: '"'.repeat(255), byName: '"'.repeat(200), edit: `${'0'.repeat(16)}${'-undo'.repeat(16)}` };

const service = serviceOn.memory({ historyDays: 30 });
const { store, users, fold } = service;
const invoke = await loadHandlersOn(() => ({ store, line: DIRECT }), service.database.runtime);

/** Four texts of as many letters as four kilobytes of JSON have. Each begins with a number. */
function attributesOf(letter: string, i: number): Record<string, string> {
  const letters = Math.floor(980 / Buffer.byteLength(JSON.stringify(letter).slice(1, -1)));
  return Object.fromEntries([...'abcd'].map((name) => [name, i + letter.repeat(letters)]));
}

const largest = (letter: string, i: number) => ({
  ...largestFields(letter),
  externalId: i + letter.repeat(249),
  attributes: attributesOf(letter, i),
});

const ids: number[] = [];
for (let i = 0; i < 1_100; i++) ids.push((await users.create(largest(WORST[i % WORST.length] ?? '', i), ORIGIN)).id);
// With such users the names of writers are a quarter of a change.
for (let n = 0; n < 900; n++)
  await users.update(
    ids[0] ?? 0,
    () => ({ ...largest(n % 2 === 0 ? '\\' : '"', 0), attributes: { a: '"'.repeat(490) } }),
    ORIGIN,
  );
await fold();
// Later users have ids of their own.
service.pass(1_000);

/** The bytes of a response as a function returns it, and the response. */
async function sent(operation: Operation, request: Parameters<typeof invoke>[1]) {
  const response = await invoke(operation, request);
  expect(response.statusCode).toBe(200);
  const { json, ...returned } = response;
  return { bytes: Buffer.byteLength(JSON.stringify(returned)), json, headers: response.headers ?? {} };
}

const TYPES = ['application/json', 'application/x-ndjson', 'text/csv'];
const LISTS = ['size=100', 'size=100&after=&sort=name', 'size=100&fields=attributes,name,externalId', 'cursor=0'];

describe('of the largest users', () => {
  // Users have at most some 18 KB there, so a hundred are far from what Lambda takes.
  test.each(LISTS.flatMap((query) => TYPES.map((accept) => [query, accept] as const)))(
    'a list by %s as %s has at most two megabytes',
    async (query, accept) => {
      const { bytes } = await sent('listUsers', { query, more: { headers: { accept } } });
      expect(bytes).toBeLessThan(2_000_000);
    },
  );

  test('a search has at most two megabytes', async () => {
    const { bytes } = await sent('searchUsers', { query: 'size=100' });
    expect(bytes).toBeLessThan(2_000_000);
  });

  test('the results of a batch have at most two megabytes', async () => {
    const users = Array.from({ length: 100 }, (_, i) => largest('"', 10_000 + i));
    const body = { operations: users.map((user) => ({ op: 'create', user })) };
    const { bytes, json } = await sent('batchUsers', { body });
    expect((json as { results: { status: number }[] }).results.map(({ status }) => status)).toEqual(
      Array(100).fill(201),
    );
    expect(bytes).toBeLessThan(2_000_000);
  });

  test('the preview of an edit has at most a quarter of a megabyte', async () => {
    const body = { patch: { ...largest('\\', 0), externalId: undefined }, dryRun: true, everybody: true };
    const { bytes, json } = await sent('editUsers', { body });
    expect((json as { examples: object[] }).examples).toHaveLength(5);
    expect(bytes).toBeLessThan(250_000);
  });

  test('counts have at most two and a half megabytes, and the rest of the users are others', async () => {
    for (const by of ['name,externalId', 'attributes.a,attributes.b']) {
      const { bytes, json } = await sent('countUsers', { query: `by=${by}` });
      const { total, counts, others = 0 } = json as { total: number; counts: { count: number }[]; others?: number };
      expect(bytes).toBeLessThan(2_550_000);
      expect(counts.reduce((sum, { count }) => sum + count, others)).toBe(total);
    }
  });

  test('a page of changes is shorter than was asked for where it would have more than Lambda takes', async () => {
    let [query, seen, most] = ['size=1000', 0, 0];
    for (let pages = 0; pages < 12; pages++) {
      const { bytes, json } = await sent('listChanges', { query });
      const { changes, next } = json as { changes: object[]; next: string };
      seen += changes.length;
      most = Math.max(most, bytes);
      query = `size=1000&after=${next}`;
    }
    expect(seen).toBe(2_000);
    expect(most).toBeGreaterThan(4_500_000);
    expect(most).toBeLessThan(MOST_OF_LAMBDA);
  });

  test('the history of a user comes in pages that Lambda takes', async () => {
    let [query, seen, most] = ['', 0, 0];
    do {
      const { bytes, json, headers } = await sent('listUserChanges', { id: ids[0] ?? 0, query });
      seen += (json as object[]).length;
      most = Math.max(most, bytes);
      query = /\?(before=\d+)/.exec(String(headers.link))?.[1] ?? '';
    } while (query !== '');
    expect(seen).toBe(901);
    expect(most).toBeGreaterThan(3_500_000);
    expect(most).toBeLessThan(MOST_OF_LAMBDA);
  });
});
