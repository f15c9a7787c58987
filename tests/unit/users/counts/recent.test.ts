import { describe, expect, test } from 'vitest';
import { treeOf } from '../../../../lib/users/counts/maps.ts';
import { readNames } from '../../../../lib/users/counts/names.ts';
import { readWaiting, recentDeltas, weigh } from '../../../../lib/users/counts/recent.ts';
import { createFold } from '../../../../lib/users/fold/fold.ts';
import { createMerge } from '../../../../lib/users/fold/merge.ts';
import { mergingOf, release } from '../../../../lib/users/journal/head.ts';
import { readHead } from '../../../../lib/users/journal/items.ts';
import { JournalMoved, readJournal, withJournal } from '../../../../lib/users/journal/journal.ts';
import { verify } from '../../../../lib/users/rebuild/verify.ts';
import { createNodeCache } from '../../../../lib/users/tree/cache.ts';
import type { User, UserFields } from '../../../../lib/users/user.ts';
import { checkCounts } from '../../../support/fake/counts.ts';
import { AT_ONCE, named, never, settled, totalOf } from '../../../support/fake/steps.ts';
import { serviceOn } from '../../../support/service.ts';

const user = (fields: Partial<UserFields>): User => ({ id: 1, version: 1, name: 'Ann', ...fields });
const change = (before: User | undefined, after: User | undefined) => ({ id: 1, version: 2, before, after });

describe('what a change adds to recent names', () => {
  test('is nothing while the last name, the status and the country stay', () => {
    const ann = user({ lastName: 'Lee', status: 'on' });
    expect(recentDeltas(change(ann, { ...ann, name: 'Bo', age: 3 }))).toEqual([]);
    expect(recentDeltas(change(ann, { ...ann, lastName: 'LEE' }))).toEqual([]);
    expect(recentDeltas(change(undefined, user({})))).toEqual([]);
    expect(recentDeltas(change(user({ status: 'on' }), user({ status: 'off' })))).toEqual([]);
  });

  test('is the old name, the new name, and the weight of both', () => {
    const [lee, li] = [user({ lastName: 'Lee' }), user({ lastName: 'Li' })];
    const numbers = (deltas: ReturnType<typeof recentDeltas>) => deltas.map(({ key, n }) => [key, n]);
    const [[, one = 0] = [], [, two = 0] = []] = [change(undefined, lee), change(li, undefined)].map((each) => [
      0,
      weigh([each]),
    ]);
    expect(numbers(recentDeltas(change(undefined, lee)))).toEqual([
      ['\0', one],
      ['lee', 1],
    ]);
    expect(numbers(recentDeltas(change(li, lee)))).toEqual([
      ['\0', one + two],
      ['li', -1],
      ['lee', 1],
    ]);
    expect(weigh([change(undefined, user({ lastName: '😀'.repeat(200) }))])).toBeGreaterThan(160_000);
  });
});

describe('recent names', () => {
  /** With these sizes, each batch after the first merges the names of the batch before. */
  const setUpMerging = () => serviceOn.memory({ sizes: { recentBytes: 0 } });

  test('are counted once while a batch merges them, even if it dies and another one takes over', async () => {
    const { store, database, databaseOf, users, fold, pass } = setUpMerging();
    await users.createMany(named('aab', 'ab', 'b'));
    await fold();
    await users.createMany(named('aab'));
    for (let after = 0; ; after++) {
      let calls = 0;
      const dying = databaseOf((call, execute) =>
        call.command === 'BatchExecuteStatementCommand' && calls++ >= after ? never() : execute(),
      );
      void createFold(dying, AT_ONCE).run(1_000);
      for (let i = 0; i < 60; i++) await settled();
      checkCounts(store);
      expect([await totalOf(database, 'ab'), await totalOf(database, 'b')]).toEqual([3, 4]);
      pass(30_000);
      if (calls <= after) break;
    }
    await fold();
    expect(mergingOf(await readHead(database))).toBeUndefined();
    checkCounts(store);
    expect(await verify(database)).toMatchObject({ wrongMaps: 0, wrongLists: 0, wrongTotal: false });
  });

  test('are being merged until all of their maps are written, however long that takes', async () => {
    const { database, databaseOf, users, fold, pass } = setUpMerging();
    await users.createMany(named('abcdefghijklmnopqrstuvwxyz'));
    await fold();
    await users.createMany(named('x'));
    const dying = databaseOf(async ({ command }, execute) => {
      if (command === 'BatchExecuteStatementCommand') throw new Error('killed');
      return execute();
    });
    await expect(createFold(dying, AT_ONCE).run(1_000)).rejects.toThrow('killed');
    await release(database, (await readHead(database)).epoch);
    const merge = createMerge(database, createNodeCache(), 1_000);
    const begun = await readHead(database);
    expect(begun.isMerging).toBe(true);
    const isMergingAfter = async (until: number) => {
      await merge.advance(begun, until);
      pass(2_000);
      return (await merge.settle(begun)).isMerging;
    };
    expect(await isMergingAfter(database.runtime.monotonic())).toBe(true);
    expect(await isMergingAfter(Number.POSITIVE_INFINITY)).toBe(false);
  });

  test('that were merged and deleted since the journal was read make the reader read again', async () => {
    const { database, users, fold } = setUpMerging();
    await users.createMany(named('abc'));
    await fold();
    const old = await readJournal(database);
    const tree = treeOf(database, old.generation);
    expect((await readWaiting(tree, old)).fresh.map(({ key }) => key)).toEqual(['abc']);
    for (const name of ['x', 'y']) {
      await users.createMany(named(name));
      await fold();
    }
    await expect(readWaiting(tree, old)).rejects.toThrow(JournalMoved);
    const names = await withJournal(database, (journal) => readNames(tree, journal, 'abc'));
    expect(names.total({})).toBe(1);
  });

  test('cost a search nothing when there are none', async () => {
    const { database, databaseOf, users, fold } = serviceOn.memory();
    await users.createMany(named('abc'));
    await fold();
    await verify(database, { always: true, keepOldMs: 0 });
    const partitions: unknown[] = [];
    const noting = databaseOf((call, execute) => {
      const { ExpressionAttributeValues } = call.input as { ExpressionAttributeValues?: Record<string, unknown> };
      partitions.push(ExpressionAttributeValues?.[':partition']);
      return execute();
    });
    expect(await totalOf(noting, 'abc')).toBe(1);
    expect(partitions.filter((pk) => String(pk).includes(':recent:'))).toEqual([]);
  });
});
