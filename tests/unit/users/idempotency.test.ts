import { expect, test } from 'vitest';
import { createUserStore } from '../../../lib/users/store.ts';
import { serviceOn } from '../../support/service.ts';

const HOUR_MS = 3_600_000;

test('an idempotency key stands for its request for a day', async () => {
  const { users, pass } = serviceOn.memory();
  const request = { key: 'k', fields: { name: 'Ann' } };
  const other = { key: 'k', fields: { name: 'Bea' } };
  const first = await users.createOnce(request);
  pass(24 * HOUR_MS - 1_000);
  expect(await users.createOnce(request)).toEqual(first);
  await expect(users.createOnce(other)).rejects.toMatchObject({ status: 422 });
  pass(2_000);
  expect((await users.createOnce(other)).id).not.toBe(first.id);
});

test('an expired idempotency key can be used again, even if the first drawn id is taken', async () => {
  const { database, store, pass } = serviceOn.memory({ clock: { random: () => 0.5 } });
  // Each container draws the same ids.
  const container = () => createUserStore(database);
  const asked = { key: 'k', fields: { name: 'Ann' } };
  const first = await container().createOnce(asked);
  pass(25 * HOUR_MS);
  const other = await container().create({ name: 'Bea' });
  const second = await container().createOnce(asked);
  expect(second).toEqual({ id: other.id + 1, version: 1, name: 'Ann' });
  expect(store.itemsOf('users').map(({ id }) => id)).toEqual([first.id, other.id, second.id]);
});
