import { setTimeout } from 'node:timers/promises';
import type { Context } from 'aws-lambda';
import { beforeEach, describe, expect, test } from 'vitest';
import { timeLeft, withDeadline } from '../../lib/deadline.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { noParameters } from '../../lib/http/request/input.ts';
import { context, event } from '../support/events.ts';
import { injectFaults } from '../support/faults.ts';
import type { Invoke } from '../support/handlers.ts';
import { serviceOn, type TestService } from '../support/service.ts';

import { serveUnreliably } from '../support/unreliableService.ts';
import type { UnreliableStore } from '../support/unreliableStore.ts';

/** The context of a function that Lambda ends soon. 600 ms are kept for the response. */
const endingIn = (milliseconds: number): Context => ({ ...context, getRemainingTimeInMillis: () => milliseconds });
const hurried = endingIn(1_000);

/** Longer than any pause between two attempts, so every late attempt has arrived by then. */
const LONGEST_PAUSE_MS = 600;

test('calls must end before the 503 is sent, half a second before the end of the function', async () => {
  let left = Number.POSITIVE_INFINITY;
  const handler = endpoint(noParameters, async () => {
    left = timeLeft({ now: Date.now });
    return { statusCode: 200, headers: {}, body: '{}' };
  });
  expect((await handler(event(), hurried)).statusCode).toBe(200);
  expect(left).toBeLessThanOrEqual(400);
});

describe('after its 503', () => {
  let store: UnreliableStore;
  let invoke: Invoke;

  beforeEach(async () => {
    ({ store, invoke } = await serveUnreliably());
  });

  const create = async () => ((await invoke('createUser', { body: { name: 'Ann' } })).json as { id: number }).id;
  const nameOf = async (id: number) => ((await invoke('getUser', { id })).json as { name?: string }).name;

  /** Whether the store is contended, or does not respond. */
  describe.each(['conflict', 'stalled'] as const)('from a store where writes meet %s', (mishap) => {
    test('a PUT does not replace a later write', async () => {
      const id = await create();
      store.otherwise = mishap;
      const first = await invoke('replaceUser', { id, body: { name: 'A' }, context: hurried });
      expect(first).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1' } });
      store.otherwise = 'none';
      expect((await invoke('replaceUser', { id, body: { name: 'B' } })).statusCode).toBe(200);
      const { writes } = store;
      await setTimeout(LONGEST_PAUSE_MS);
      await store.land();
      expect(await nameOf(id)).toBe('B');
      expect(store.writes).toBe(writes);
    });

    test('a PATCH does not change a later write', async () => {
      const id = await create();
      store.otherwise = mishap;
      const first = await invoke('patchUser', { id, body: { name: 'A' }, context: hurried });
      expect(first.statusCode).toBe(503);
      store.otherwise = 'none';
      expect((await invoke('patchUser', { id, body: { name: 'B' } })).statusCode).toBe(200);
      await setTimeout(LONGEST_PAUSE_MS);
      await store.land();
      expect(await nameOf(id)).toBe('B');
    });

    test('a DELETE does not delete a later write', async () => {
      const id = await create();
      store.otherwise = mishap;
      expect((await invoke('deleteUser', { id, context: hurried })).statusCode).toBe(503);
      store.otherwise = 'none';
      expect((await invoke('replaceUser', { id, body: { name: 'B' } })).statusCode).toBe(200);
      await setTimeout(LONGEST_PAUSE_MS);
      await store.land();
      expect(await nameOf(id)).toBe('B');
    });
  });

  test('a POST creates no user', async () => {
    store.otherwise = 'conflict';
    const more = { headers: { 'Idempotency-Key': 'k', 'Content-Type': 'application/json' } };
    const body = { name: 'Ann' };
    expect((await invoke('createUser', { body, context: hurried })).statusCode).toBe(503);
    expect((await invoke('createUser', { body, more, context: hurried })).statusCode).toBe(503);
    store.otherwise = 'none';
    await setTimeout(LONGEST_PAUSE_MS);
    expect((await invoke('listUsers', { query: 'cursor=0' })).json).toEqual([]);
  });

  test('a POST whose attempt got no response has closed its connection', async () => {
    store.otherwise = 'stalled';
    const response = await invoke('createUser', { body: { name: 'Ann' }, context: endingIn(1_600) });
    expect(response.statusCode).toBe(503);
    // The SDK's own timeout would close it only after two seconds.
    await expect.poll(() => store.closed, { timeout: 800 }).toBe(1);
    expect(store.writes).toBe(1);
  });
});

describe('a container that is frozen while a request waits, and thawed an hour later', () => {
  const HOUR_MS = 3_600_000;
  const calls = {
    create: ({ users }: TestService) => users.create({ name: 'Ann' }),
    createOnce: ({ users }: TestService) => users.createOnce({ key: 'k', fields: { name: 'Ann' } }),
    update: ({ users }: TestService, id: number) => users.update(id, () => ({ name: 'A' })),
    delete: ({ users }: TestService, id: number) => users.delete(id),
  };

  test.each(['create', 'createOnce', 'update', 'delete'] as const)('does not go on to %s', async (name) => {
    let now = Date.now();
    const service = await serviceOn.embedded({
      clock: {
        now: () => now,
        sleep: async () => {
          now += HOUR_MS;
        },
      },
    });
    const { id } = await service.users.create({ name: 'Ann' });
    const { attempts } = injectFaults(service.dynamo, 'TransactWriteItemsCommand', ['conflict']);
    const call = withDeadline(now + 14_000, () => Promise.resolve<unknown>(calls[name](service, id)));
    await expect(call).rejects.toMatchObject({ status: 503, message: 'The request ran out of time' });
    expect(attempts()).toBe(1);
    expect(await service.users.get(id)).toMatchObject({ name: 'Ann' });
  });
});
