import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../../lib/changes/items.ts';
import { isAllRight, verify } from '../../../../tools/verify/verify.ts';
import { named } from '../../../support/fake/steps.ts';
import { TABLES } from '../../../support/fake/store.ts';
import { HISTORY_DAYS, serviceOn } from '../../../support/service.ts';

async function start() {
  const given = serviceOn.memory({ historyDays: HISTORY_DAYS });
  const { fold } = given;
  const created = await given.users.createMany(named('a', 'b'));
  const id = created[0]?.id ?? 0;
  await fold();
  for (const age of [1, 2]) {
    await given.users.update(id, () => ({ name: 'Ann', age }));
    await fold();
  }
  await given.users.delete(created[1]?.id ?? 0);
  await fold();
  const check = async () => {
    const report = await verify(given.database);
    expect(isAllRight(report)).toBe(report.wrongChanges === 0);
    return report;
  };
  const items = (prefix: string) => given.store.itemsOf('directory').filter(({ pk }) => String(pk).startsWith(prefix));
  const remove = (item: Record<string, unknown> | undefined) =>
    given.store.tables[TABLES.directory]?.delete(item ?? {});
  return { ...given, ...given.changes, id, check, items, remove };
}

describe('a verification', () => {
  test('finds that each change is kept once: erased changes, new changes, and after some have expired', async () => {
    const { erase, users, id, fold, check, pass } = await start();
    expect(await check()).toMatchObject({ changes: 5, wrongChanges: 0 });
    await users.update(id, () => ({ name: 'Bob' }));
    await erase(id);
    expect(await check()).toMatchObject({ changes: 5, wrongChanges: 0 });
    await fold();
    expect(await check()).toMatchObject({ changes: 6, wrongChanges: 0 });
    pass(HISTORY_DAYS * 86_400_000);
    expect(await check()).toMatchObject({ changes: 0, wrongChanges: 0 });
    await users.update(id, () => ({ name: 'Cy' }));
    await fold();
    expect(await check()).toMatchObject({ changes: 1, wrongChanges: 0 });
  });

  test.each([0, 1, 2, 3])('finds that batch %i is missing in the feed, unless it may have expired', async (batch) => {
    const { check, items, remove, pass } = await start();
    const parts = items('changes:');
    expect(parts).toHaveLength(4);
    remove(parts[batch]);
    pass((HISTORY_DAYS - 1) * DAY_MS);
    // The oldest batch may have expired.
    if (batch > 0) expect((await check()).wrongChanges).toBeGreaterThan(0);
    else expect(await check()).toMatchObject({ changes: 3, wrongChanges: 0 });
  });

  test('finds that a change is missing in the history', async () => {
    const { check, items, remove } = await start();
    remove(items('history:')[0]);
    expect((await check()).wrongChanges).toBe(1);
  });

  test('finds that the feed lacks the last change of a user', async () => {
    const { store, id, check } = await start();
    const user = store.tables[TABLES.users]?.get({ id });
    store.tables[TABLES.users]?.put({ ...user, version: 4 });
    expect((await check()).wrongChanges).toBe(1);
  });

  test('lets followers of the feed know that it was repaired, by 410', async () => {
    const { database, check, feed, items, remove, users, fold } = await start();
    const { next } = await feed({ after: undefined, size: 10 });
    remove(items('changes:')[2]);
    expect(await verify(database, { repair: true })).toMatchObject({ repaired: true });
    await expect(feed({ after: next, size: 1 })).rejects.toMatchObject({ status: 410 });
    expect(await check()).toMatchObject({ wrongChanges: 0 });
    const now = (await feed({ after: 'now', size: 1 })).next;
    await users.createMany(named('c'));
    await fold();
    expect((await feed({ after: now, size: 10 })).changes).toHaveLength(1);
  });

  test('of restored tables deletes writes from the history that the tables do not have', async () => {
    const { database, store, history, id, users, fold } = await start();
    const user = store.tables[TABLES.users]?.get({ id });
    // The tables are restored to a moment before the last write.
    store.tables[TABLES.users]?.put({ ...user, version: 2 });
    await verify(database, { restored: true });
    await users.update(id, () => ({ name: 'Other' }));
    await fold();
    const { changes } = await history({ id, before: undefined, size: 10 });
    expect(changes.map(({ version, after }) => [version, after?.name])).toEqual([
      [3, 'Other'],
      [2, 'Ann'],
      [1, 'Ann'],
    ]);
  });
});
