import { describe, expect, test } from 'vitest';
import { unavailable } from '../../../../lib/errors.ts';
import { createFold } from '../../../../lib/users/fold/fold.ts';
import { entryKey, JOURNAL, toEntry } from '../../../../lib/users/journal/entry.ts';
import { HEAD_KEY, toHead } from '../../../../lib/users/journal/head.ts';
import { readHead } from '../../../../lib/users/journal/items.ts';
import { beginStage } from '../../../../lib/users/journal/newStage.ts';
import { verify } from '../../../../lib/users/rebuild/verify.ts';
import { AT_ONCE, holdFor, isTransaction, named, never, settled, totalOf } from '../../../support/fake/steps.ts';
import { NOTHING_WRONG } from '../../../support/questions.ts';
import { type MemoryService, serviceOn } from '../../../support/service.ts';

describe('a batch', () => {
  test('passes over long names after the first few, so that the entries of others do not wait for them', async () => {
    let moment = 0;
    const service = serviceOn.memory({ clock: { monotonic: () => moment++ } });
    const { database, users, store } = service;
    // 120 kilobytes of suffixes each: five are what a batch takes.
    const long = Array.from({ length: 8 }, (_, n) =>
      Array.from({ length: 200 }, (_, i) => String.fromCodePoint(0x4e00 + n * 200 + i)).join(''),
    );
    const created = await users.createMany(long.map((lastName) => ({ name: 'Long', lastName })));
    const last = created.at(-1)?.id ?? 0;
    // Adds nothing to names, but comes after an entry of its user that waits.
    await users.update(last, (user) => ({ ...user, age: 5 }));
    await users.createMany(Array.from({ length: 50 }, (_, n) => ({ name: 'Short', lastName: `Lee ${n}` })));
    const left = () =>
      store
        .itemsOf('directory')
        .flatMap((item) => (item.pk === JOURNAL && item.sk !== HEAD_KEY ? [toEntry(item)] : []));
    await beginStage(database);
    await createFold(database, AT_ONCE).run(2);
    expect(left().map(({ after }) => after?.name)).toEqual(Array(left().length).fill('Long'));
    expect(left()).toHaveLength(4);
    expect(left().filter(({ id }) => id === last)).toHaveLength(2);
    await service.fold();
    expect(left()).toEqual([]);
    expect(await verify(database)).toMatchObject({ users: 58, ...NOTHING_WRONG });
  });

  test('no longer counts when its entries are being deleted: the entries that are left would not cancel out', async () => {
    const { store, database, databaseOf, users, fold } = serviceOn.memory();
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

  test('of which an entry has left is not folded again: its nodes are written, and its entries would not cancel out', async () => {
    const { store, database, databaseOf, users, fold, pass } = serviceOn.memory();
    await fold();
    await users.createMany(named('abc', 'abd'));
    const frozen = databaseOf((call, execute) => (call.command === 'BatchWriteCommand' ? never() : execute()));
    void createFold(frozen, AT_ONCE).run(1_000);
    await settled();
    const entry = store.itemsOf('directory').find(({ pk, sk }) => pk === JOURNAL && sk !== HEAD_KEY) ?? {};
    store.tables.directory?.delete({ pk: entry.pk, sk: entry.sk });
    pass(60_000);
    const commands: string[] = [];
    const noting = databaseOf(({ command }, execute) => {
      commands.push(command);
      return execute();
    });
    expect(await createFold(noting, AT_ONCE).run(1)).toMatchObject({ left: 0 });
    expect(commands.slice(0, 3)).toEqual(['QueryCommand', 'BatchWriteCommand', 'UpdateCommand']);
    expect(await verify(database)).toMatchObject({ users: 2, ...NOTHING_WRONG });
  });

  test('is released even if a segment cannot be split: the next fold would fail at it again', async () => {
    const { database, databaseOf, users, fold, store } = serviceOn.memory({ sizes: { segmentUsers: 4 } });
    await fold();
    await users.createMany(named(...Array.from({ length: 10 }, (_, n) => `n${n}`)));
    const throttled = databaseOf((call, execute) => {
      if ((call.input as { IndexName?: string }).IndexName) throw unavailable('Throttled');
      return execute();
    });
    await expect(createFold(throttled, { restMs: 0 }).run(1_000)).rejects.toThrow('Throttled');
    const head = await readHead(database);
    expect([head.batch, head.epoch]).toEqual([[], 1]);
    expect(store.itemsOf('directory').filter(({ pk }) => pk === 'journal')).toHaveLength(1);
    await users.createMany(named('n10'));
    await fold();
    expect(await verify(database)).toMatchObject({ users: 11, ...NOTHING_WRONG });
  });

  test('is claimed in spite of a hold that ends in hours: a clock was ahead, and its process was killed', async () => {
    const { database, users, fold, pass } = serviceOn.memory();
    await users.createMany(named('a'));
    await fold();
    await users.createMany(named('b'));
    await holdFor(database, 60_000);
    expect(await fold()).toMatchObject({ folded: 0, left: 1 });
    pass(60_001);
    expect(await fold()).toMatchObject({ folded: 1 });
    await users.createMany(named('c'));
    await holdFor(database, 7_200_000);
    expect(await fold()).toMatchObject({ folded: 1, left: 0 });
  });

  /** The keys of the batch that a fold claims. It freezes before it writes anything. */
  async function claimed({ store, databaseOf }: MemoryService): Promise<readonly string[]> {
    const claiming = databaseOf((call, execute) =>
      call.command === 'BatchExecuteStatementCommand' || isTransaction(call) ? never() : execute(),
    );
    void createFold(claiming, AT_ONCE).run(1_000);
    await settled();
    return toHead(store.tables.directory?.get({ pk: JOURNAL, sk: HEAD_KEY })).batch;
  }

  test('begins with the oldest version of a user, which comes last in the journal', async () => {
    const service = serviceOn.memory({ sizes: { batchEntries: 1 } });
    const { id, version } = await service.users.create({ name: 'old' });
    await service.users.update(id, () => ({ name: 'new' }));
    expect(await claimed(service)).toEqual([entryKey({ id, version })]);
  });

  /** A fold whose clock passes while it sleeps, and with each write of nodes. */
  async function timed(names: string[], writeMs: number) {
    const at: Record<string, number> = {};
    const service = serviceOn.memory({ clock: { sleep: async (milliseconds) => service.pass(milliseconds) } });
    const { users, databaseOf, runtime, pass } = service;
    await users.createMany(named(...names));
    const database = databaseOf(async ({ command }, execute) => {
      if (command === 'BatchExecuteStatementCommand') pass(writeMs);
      const response = await execute();
      at[command] = runtime.now();
      return response;
    });
    return { at, now: runtime.now, pass, run: () => createFold(database).run(60_000) };
  }

  test('stays until every index has caught up, two seconds after a fold has seen it', async () => {
    const { at, now, pass, run } = await timed(['aa'], 10);
    pass(10_000);
    const seen = now();
    expect(await run()).toEqual({ folded: 1, left: 0, oldestMs: 0 });
    expect(at.BatchWriteCommand).toBe(seen + 2_000);
  });

  test('stays for a second after its last node is written, when nobody works with an older node any more', async () => {
    const { at, pass, run } = await timed(['aa'], 2_000);
    pass(10_000);
    expect(await run()).toMatchObject({ folded: 1 });
    expect((at.BatchWriteCommand ?? 0) - (at.BatchExecuteStatementCommand ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  test('does not begin while the journal is one read unit and its oldest entry is younger than ten seconds', async () => {
    const { pass, run } = await timed(['aa', 'ab'], 10);
    pass(9_000);
    expect(await run()).toEqual({ folded: 0, left: 2, oldestMs: 9_000 });
    pass(1_000);
    expect(await run()).toEqual({ folded: 2, left: 0, oldestMs: 0 });
  });

  test('begins at once when the journal is more than one read unit', async () => {
    const names = Array.from({ length: 90 }, (_, n) => `name ${n}`);
    const { run } = await timed(names, 10);
    expect(await run()).toMatchObject({ folded: 90, left: 0 });
  });
});
