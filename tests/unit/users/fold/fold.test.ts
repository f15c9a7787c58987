import { describe, expect, test } from 'vitest';
import { createFold } from '../../../../lib/users/fold/fold.ts';
import { toHead } from '../../../../lib/users/journal/head.ts';
import { readHead } from '../../../../lib/users/journal/items.ts';
import { SIZES } from '../../../../lib/users/sizes.ts';
import { treeOf } from '../../../../lib/users/statistics/statistics.ts';
import { createUserStore } from '../../../../lib/users/store.ts';
import { readNodes, WHOLE_MAP } from '../../../../lib/users/tree/nodes.ts';
import { splitNode } from '../../../../lib/users/tree/write.ts';
import { checkCounts } from '../../../support/fake/race.ts';
import { AT_ONCE, isTransaction, MAP, named, never, settled, setUp, totalOf } from '../../../support/fake/setUp.ts';
import { FakeStore, TABLES } from '../../../support/fake/store.ts';

describe('a batch', () => {
  test('whose entries are being deleted counts no more: what is left of it may not cancel out', async () => {
    const { store, database, databaseOf, users, fold } = setUp();
    const [leaving] = await users.createMany(named('abc'));
    await fold();
    await users.createMany(named('abc'));
    await users.delete(leaving?.id ?? 0);
    const entries = () => store.itemsOf('directory').filter(({ pk, sk }) => pk === 'journal' && sk !== '#head');
    expect(entries()).toHaveLength(2);
    const frozen = databaseOf((call, execute) => (call.command === 'BatchWriteCommand' ? never() : execute()));
    void createFold(frozen, AT_ONCE).run(1_000);
    await settled();
    for (const { pk, sk } of entries()) {
      expect(await totalOf(database, 'abc')).toBe(1);
      store.tables.directory?.delete({ pk, sk });
    }
    expect(await totalOf(database, 'abc')).toBe(1);
  });

  test('is no larger than what one page can take', async () => {
    const { store, users, databaseOf } = setUp();
    await users.createMany(named('😀'.repeat(200), '😀'.repeat(199)));
    const claiming = databaseOf((call, execute) => (call.command === 'PutCommand' ? never() : execute()));
    void createFold(claiming, AT_ONCE).run(1_000);
    await settled();
    const head = store.tables.directory?.get({ pk: 'journal', sk: '#head' });
    expect(toHead(head).batch.length).toBe(1);
  });

  test('is deleted a second after it was claimed: nobody then reads a node from before', async () => {
    let time = 1_790_000_000_000;
    const store = new FakeStore({ now: () => time });
    const at: Record<string, number> = {};
    let claimed = 0;
    const dynamo = store.client({
      async around({ command }, execute) {
        const response = await execute();
        at[command] ??= time;
        if (command === 'UpdateCommand' && at.BatchWriteCommand === undefined) claimed = time;
        return response;
      },
      pause: async () => {},
    });
    const sleep = async (milliseconds: number) => {
      time += milliseconds;
    };
    const runtime = { now: () => time, monotonic: () => time, random: () => 0.5, sleep };
    const database = { dynamo, tables: TABLES, runtime, sizes: SIZES };
    await createUserStore({ ...database, dynamo: store.client() }).createMany(named('aa'));
    const seen = time;
    expect(await createFold(database).run(60_000)).toMatchObject({ folded: 1, left: 0 });
    expect(claimed - seen).toBeGreaterThanOrEqual(2_000);
    expect((at.BatchWriteCommand ?? 0) - claimed).toBeGreaterThanOrEqual(1_000);
  });
});

describe('a node that is split while others work', () => {
  async function grown() {
    const given = setUp();
    await given.users.createMany(named('abca', 'abcb', 'abcc', 'abcd'));
    await given.fold();
    const { generation } = await readHead(given.database);
    const treeIn = (database = given.database) => ({ ...treeOf(database, generation), nodeBytes: 20 });
    return { ...given, treeIn };
  }

  test('counts each user once for those who read, and for the fold that goes on', async () => {
    const { store, database, users, fold, treeIn } = await grown();
    await splitNode(treeIn(), { name: MAP }, '\0');
    expect((await readNodes(treeIn(), MAP, WHOLE_MAP)).length).toBeGreaterThan(1);
    expect([await totalOf(database, 'abc'), await totalOf(database, 'abcd')]).toEqual([4, 1]);
    await users.createMany(named('abcd', 'abca'));
    expect([await totalOf(database, 'abc'), await totalOf(database, 'abcd')]).toEqual([6, 2]);
    await fold();
    checkCounts(store);
  });

  test('keeps what a fold has written since it was read', async () => {
    const { store, database, databaseOf, users, fold, treeIn } = await grown();
    await users.createMany(named('abcd', 'abca'));
    const late = databaseOf(async (call, execute) => {
      if (isTransaction(call)) await fold();
      return execute();
    });
    await splitNode(treeIn(late), { name: MAP }, '\0');
    checkCounts(store);
    expect(await totalOf(database, 'abc')).toBe(6);
  });

  test('is written by a fold that was frozen before it, and by no fold twice', async () => {
    const { store, database, databaseOf, users, fold, pass, treeIn } = await grown();
    await users.createMany(named('abcd'));
    let thaw = () => {};
    const thawed = new Promise<void>((resolve) => {
      thaw = resolve;
    });
    const freezing = databaseOf(async (call, execute) => {
      if (call.command === 'PutCommand') await thawed;
      return execute();
    });
    const frozen = createFold(freezing, AT_ONCE).run(1_000);
    await settled();
    await splitNode(treeIn(), { name: MAP }, '\0');
    pass(20_000);
    await fold();
    checkCounts(store);
    thaw();
    await frozen;
    checkCounts(store);
    expect(await totalOf(database, 'abc')).toBe(5);
  });
});
