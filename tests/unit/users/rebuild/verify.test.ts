import { describe, expect, test, vi } from 'vitest';
import { createFold } from '../../../../lib/users/fold/fold.ts';
import { JOURNAL } from '../../../../lib/users/journal/entry.ts';
import { readHead } from '../../../../lib/users/journal/items.ts';
import { isAllRight, type OnProgress, verify } from '../../../../lib/users/rebuild/verify.ts';
import { pack, unpack } from '../../../../lib/users/tree/pack.ts';
import { generationOf } from '../../../../lib/users/tree/tree.ts';
import { AT_ONCE, foldAll, holdFor, named } from '../../../support/fake/steps.ts';
import { type Call, TABLES } from '../../../support/fake/store.ts';
import { askNames, NOTHING_WRONG } from '../../../support/questions.ts';
import { type MemoryService, serviceOn } from '../../../support/service.ts';

const KEEP_NOTHING = { keepOldMs: 0 };

/** Longer than one hold of the fold. */
const FROZEN_MS = 61_000;

async function start(): Promise<MemoryService> {
  const service = serviceOn.memory({ historyDays: 7 });
  await service.users.createMany(named('a', 'b', 'c'));
  await service.fold();
  return service;
}

const isOf = ({ command, input }: Call, name: string, text: string): boolean =>
  command === name && JSON.stringify(input).includes(text);

/** Runs a function once, after the first read of all users. */
function afterUsers({ databaseOf }: Pick<MemoryService, 'databaseOf'>, meddle: () => Promise<unknown>) {
  let isDone = false;
  return databaseOf(async (call, execute) => {
    const result = await execute();
    if (!isDone && isOf(call, 'ScanCommand', TABLES.users)) {
      isDone = true;
      await meddle();
    }
    return result;
  });
}

test('a verification reports no differences that a fold has made because another verification let it go', async () => {
  const service = await start();
  const slow = afterUsers(service, async () => {
    await verify(service.database);
    await service.users.createMany(named('d', 'e'));
    service.pass(FROZEN_MS);
    await service.fold();
  });
  await expect(verify(slow)).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining('came in between'),
  });
  expect(isAllRight(await verify(service.database))).toBe(true);
});

test('a repair whose process was frozen does not switch to what it has built: folds may have run in the meantime', async () => {
  const { database, pass } = await start();
  const before = await readHead(database);
  const onProgress: OnProgress = (what) => what === 'parts built' && pass(FROZEN_MS);
  await expect(verify(database, { always: true, onProgress })).rejects.toMatchObject({ status: 503 });
  const { generation, epoch, total } = await readHead(database);
  expect([generation, epoch, total]).toEqual([before.generation, before.epoch, 3]);
});

test('a repair does not switch when a fold has run since it began, even if it holds the fold again', async () => {
  const service = await start();
  const before = await readHead(service.database);
  const frozen = afterUsers(service, async () => {
    await service.users.createMany(named('d'));
    await holdFor(service.database, -1);
    await service.fold();
    await holdFor(service.database, FROZEN_MS);
  });
  await expect(verify(frozen, { always: true, ...KEEP_NOTHING })).rejects.toMatchObject({ status: 503 });
  const { generation, total } = await readHead(service.database);
  expect([generation, total]).toEqual([before.generation, 4]);
});

test('a repair does not switch to what lacks a batch that was claimed, by whatever clock, before it read the users', async () => {
  const service = await start();
  await service.users.createMany(named('d'));
  const dying = service.databaseOf(async (call, execute) => {
    const result = await execute();
    if (isOf(call, 'UpdateCommand', 'batches')) throw new Error('killed');
    return result;
  });
  let readings = Number.NaN;
  const slow = service.databaseOf(async (call, execute) => {
    if (isOf(call, 'UpdateCommand', 'SET #heldUntil')) readings = 0;
    // At the first reading after the hold no batch is under way.
    if (isOf(call, 'QueryCommand', JOURNAL) && ++readings === 2) {
      await holdFor(service.database, -1);
      await createFold(dying, AT_ONCE)
        .run(1)
        .catch(() => {});
      await holdFor(service.database, FROZEN_MS);
    }
    if (isOf(call, 'UpdateCommand', 'generation = :generation')) {
      // Another fold takes over the batch.
      service.pass(30_000);
      await foldAll(service.database);
    }
    return execute();
  });
  await expect(verify(slow, { always: true, ...KEEP_NOTHING })).rejects.toMatchObject({ status: 503 });
  expect((await askNames(service.listing)).total).toBe(4);
});

test('folds go on after a verification whose last renewal of the hold has failed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const service = await start();
  let [holds, hasPassed] = [0, false];
  const failing = service.databaseOf(async (call, execute) => {
    if (isOf(call, 'UpdateCommand', 'SET #heldUntil = :heldUntil') && ++holds === 2) throw new Error('no answer');
    if (!hasPassed && isOf(call, 'ScanCommand', TABLES.users)) {
      hasPassed = true;
      service.pass(15_000);
      await vi.advanceTimersByTimeAsync(15_000);
    }
    return execute();
  });
  await verify(failing);
  vi.useRealTimers();
  // The last one lets it go.
  expect(holds).toBe(3);
  expect(service.store.tables.directory?.get({ pk: 'journal', sk: '#head' })).toMatchObject({ heldUntil: 0 });
});

test('a rebuild whose switch was answered only at the second attempt has succeeded', async () => {
  const service = await start();
  const { generation } = await readHead(service.database);
  const database = service.databaseOf(async (call, execute) => {
    if (isOf(call, 'UpdateCommand', 'generation = :generation')) await execute();
    return execute();
  });
  expect(await verify(database, { always: true, ...KEEP_NOTHING })).toMatchObject({ repaired: true });
  expect((await readHead(service.database)).generation).not.toBe(generation);
  expect(isAllRight(await verify(service.database))).toBe(true);
});

describe('what is left of a rebuild that was killed', () => {
  /** Its generation is whole, or has only its first nodes. */
  async function killed(isWhole: boolean) {
    const service = await start();
    let inserts = 0;
    const dying = service.databaseOf(async (call, execute) => {
      const isEnd = isWhole
        ? isOf(call, 'UpdateCommand', 'generation = :generation')
        : call.command === 'BatchExecuteStatementCommand' && ++inserts > 1;
      if (isEnd) throw new Error('killed');
      return execute();
    });
    await expect(verify(dying, { always: true, ...KEEP_NOTHING })).rejects.toThrow('killed');
    const generations = () => [
      ...new Set(service.store.itemsOf('directory').flatMap(({ pk }) => generationOf(String(pk)) ?? [])),
    ];
    expect(generations()).toHaveLength(2);
    return { ...service, generations };
  }

  test.each([true, false])(
    'is kept, and told, while its rebuild may go on, and is deleted after the next batch: whole %s',
    async (isWhole) => {
      const { database, generations, users, fold, listing } = await killed(isWhole);
      const left = { generations: 0, items: 0, left: 1 };
      expect(await verify(database, KEEP_NOTHING)).toMatchObject({ repaired: false, swept: left });
      expect(generations()).toHaveLength(2);
      await users.createMany(named('d'));
      await fold();
      expect((await askNames(listing)).total).toBe(4);
      const swept = { generations: 1, items: expect.any(Number), left: 0 };
      const report = await verify(database, KEEP_NOTHING);
      expect(report).toMatchObject({ ...NOTHING_WRONG, swept });
      expect(report.swept.items).toBeGreaterThan(0);
      expect(generations()).toEqual([(await readHead(database)).generation]);
    },
  );
});

test('a list is wrong if its first segment has a lower bound, even if all numbers add up', async () => {
  const { store, database, users, fold } = serviceOn.memory();
  await users.createMany(['b', 'c', 'd'].map((name) => ({ name })));
  await fold();
  expect((await verify(database)).wrong).toEqual([]);
  const node = store.itemsOf('directory').find(({ pk }) => /:segments:byName$/.test(String(pk))) ?? {};
  const rows = unpack(node.data as Uint8Array).map(({ counts }) => ({ counts, key: 'c' }));
  store.tables.directory?.put({ ...node, data: pack(rows) });
  expect((await verify(database)).wrong).toEqual(['segments:byName']);
});

test('statistics that are built are not overwritten by an attempt that arrives after a fold has added to them', async () => {
  const given = serviceOn.memory();
  await given.users.createMany(['Lee', 'Li'].map((lastName) => ({ name: 'Ann', lastName })));
  await given.fold();
  const late: (() => Promise<unknown>)[] = [];
  const slow = given.databaseOf((call, execute) => {
    if (call.command === 'BatchExecuteStatementCommand' || call.command === 'BatchWriteCommand') late.push(execute);
    return execute();
  });
  await verify(slow, { always: true, keepOldMs: 1_000 });
  await given.users.createMany([{ name: 'Ann', lastName: 'Lo', status: 'new' }]);
  await given.fold();
  expect(late.length).toBeGreaterThan(0);
  for (const again of late) await again().catch(() => {});
  expect(await verify(given.database)).toMatchObject({ users: 3, ...NOTHING_WRONG });
});
