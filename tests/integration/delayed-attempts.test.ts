import { beforeEach, describe, expect, test } from 'vitest';
import type { Invoke } from '../support/handlers.ts';
import { serveUnreliably } from '../support/unreliableService.ts';
import type { Mishap, UnreliableStore } from '../support/unreliableStore.ts';

let store: UnreliableStore;
let invoke: Invoke;

beforeEach(async () => {
  ({ store, invoke } = await serveUnreliably());
});

const json = 'application/json';

async function createAnn(): Promise<{ id: number; etag: string }> {
  const { json: user, headers } = await invoke('createUser', { body: { name: 'Ann', lastName: 'Lee' } });
  return { id: (user as { id: number }).id, etag: String(headers?.etag ?? headers?.ETag) };
}

/** All users, after delayed attempts have arrived. */
async function everyone(): Promise<unknown> {
  await store.land();
  return (await invoke('listUsers', { query: 'cursor=0' })).json;
}

/** Attempts of one write: a late one, one that conflicts with it, and one after it. */
const SEQUENCES: [string, Mishap[]][] = [
  ['arrives before the third', ['held', 'conflict', 'held land first']],
  ['arrives after the third', ['held', 'conflict', 'none']],
  ['arrives before the second', ['held', 'held land first']],
  ['loses its response', ['response lost', 'conflict', 'none']],
];

describe.each(SEQUENCES)('when a first attempt %s', (_, mishaps) => {
  test('POST creates one user', async () => {
    store.mishaps = [...mishaps];
    const created = await invoke('createUser', { body: { name: 'Ann' } });
    expect(created.statusCode).toBe(201);
    expect(await everyone()).toEqual([created.json]);
    expect(store.writes).toBe(mishaps.length);
  });

  test('POST with a key creates one user', async () => {
    store.mishaps = [...mishaps];
    const more = { headers: { 'Idempotency-Key': 'k', 'Content-Type': json } };
    const created = await invoke('createUser', { body: { name: 'Ann' }, more });
    expect(created.statusCode).toBe(201);
    expect((await invoke('createUser', { body: { name: 'Ann' }, more })).json).toEqual(created.json);
    expect(await everyone()).toEqual([created.json]);
  });

  test('PUT returns what it wrote', async () => {
    const { id } = await createAnn();
    store.mishaps = [...mishaps];
    const response = await invoke('replaceUser', { id, body: { name: 'Bea' } });
    expect(response).toMatchObject({ statusCode: 200, json: { id, name: 'Bea' } });
    expect(await everyone()).toEqual([response.json]);
    expect(store.writes).toBe(1 + mishaps.length);
  });

  test('PATCH with If-Match is not refused for its own change', async () => {
    const { id, etag } = await createAnn();
    store.mishaps = [...mishaps];
    const more = { headers: { 'If-Match': etag, 'Content-Type': 'application/merge-patch+json' } };
    const response = await invoke('patchUser', { id, body: { name: 'Bea' }, more });
    expect(response).toMatchObject({ statusCode: 200, json: { id, name: 'Bea', lastName: 'Lee' } });
    expect(await everyone()).toEqual([response.json]);
  });

  test('JSON Patch with a test is not refused for its own change', async () => {
    const { id } = await createAnn();
    store.mishaps = [...mishaps];
    const body = [
      { op: 'test', path: '/name', value: 'Ann' },
      { op: 'replace', path: '/name', value: 'Bea' },
    ];
    const more = { headers: { 'Content-Type': 'application/json-patch+json' } };
    const response = await invoke('patchUser', { id, body, more });
    expect(response).toMatchObject({ statusCode: 200, json: { id, name: 'Bea', lastName: 'Lee' } });
    expect(await everyone()).toEqual([response.json]);
  });

  test('DELETE succeeds when it finds the user deleted by its own attempt', async () => {
    const { id } = await createAnn();
    store.mishaps = [...mishaps];
    expect((await invoke('deleteUser', { id })).statusCode).toBe(204);
    expect(await everyone()).toEqual([]);
  });
});
