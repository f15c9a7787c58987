import { expect, test } from 'vitest';
import { ensureBase } from '../../../lib/replica/internals.ts';
import { totalOrder } from '../../../lib/users/order.ts';
import { HISTORY_DAYS, serviceOn } from '../../support/service.ts';

/** The overlap that docs/api.md names, in milliseconds. */
const OVERLAP = 360_000;

test('a write that commits late is missed from the last moment on, and neither by the overlap of api.md nor by the feed', async () => {
  const { users, processOf, database, listing, changes, fold, pass } = serviceOn.memory({ historyDays: HISTORY_DAYS });
  await ensureBase(database);
  const since = async (moment: number) => {
    const query = { filters: { 'updatedAt.gte': moment }, order: totalOrder([]), number: 0, size: 20 };
    const page = await listing.page(query);
    return (page.users ?? []).map(({ name }) => name);
  };
  const { next: place } = await changes.feed({ after: 'now', size: 100 });
  let commit = (): void => {};
  const held = new Promise<void>((resolve) => {
    commit = resolve;
  });
  const slow = processOf(async (line, execute) => {
    if (line.command === 'TransactWriteCommand') await held;
    return execute();
  });
  const late = slow.users.create({ name: 'Late' });
  pass(2_500);
  const { updatedAt: last = 0 } = await users.create({ name: 'Prompt' });
  expect(await since(0)).toEqual(['Prompt']);
  commit();
  await late;
  expect(await since(last)).toEqual(['Prompt']);
  expect(await since(last - OVERLAP)).toEqual(['Late', 'Prompt']);
  await fold();
  const followed = await changes.feed({ after: place, size: 100 });
  expect(followed.changes.map(({ user }) => user?.name).toSorted()).toEqual(['Late', 'Prompt']);
});
