import { expect, test } from 'vitest';
import { SIZES } from '../../../lib/users/sizes.ts';
import { createUserStore } from '../../../lib/users/store.ts';
import { FakeStore, TABLES } from '../../support/fake/store.ts';

const HOUR_MS = 3_600_000;

test('an expired key can be used again, even if the first drawn id is taken', async () => {
  let time = 1_790_000_000_000;
  const store = new FakeStore({ now: () => time });
  const runtime = { now: () => time, monotonic: () => time, random: () => 0.5, sleep: async () => {} };
  // Both stores draw the same ids.
  const container = () => createUserStore({ dynamo: store.client(), tables: TABLES, runtime, sizes: SIZES });
  const asked = { key: 'k', fields: { name: 'Ann' } };
  const first = await container().createOnce(asked);
  time += 25 * HOUR_MS;
  const other = await container().create({ name: 'Bea' });
  const second = await container().createOnce(asked);
  expect(second).toEqual({ id: other.id + 1, version: 1, name: 'Ann' });
  expect(store.itemsOf('users').map(({ id }) => id)).toEqual([first.id, other.id, second.id]);
});
