import { describe, expect, test } from 'vitest';
import { treeOf } from '../../../../lib/users/counts/maps.ts';
import { mapOf } from '../../../../lib/users/counts/segments.ts';
import { createFold } from '../../../../lib/users/fold/fold.ts';
import { grownRows, splitGrown } from '../../../../lib/users/fold/split.ts';
import { readHead } from '../../../../lib/users/journal/items.ts';
import { verify } from '../../../../lib/users/rebuild/verify.ts';
import { readFloor, readNodes, WHOLE_MAP } from '../../../../lib/users/tree/nodes.ts';
import { rowsOf } from '../../../../lib/users/tree/read.ts';
import { FIRST_BOUND } from '../../../../lib/users/tree/tree.ts';
import { replaceRows } from '../../../../lib/users/tree/write.ts';
import type { User } from '../../../../lib/users/user.ts';
import { AT_ONCE } from '../../../support/fake/steps.ts';
import type { Call, Line } from '../../../support/fake/store.ts';
import { sized } from '../../../support/fake/tree.ts';
import { listBy } from '../../../support/listBy.ts';
import { NOTHING_WRONG } from '../../../support/questions.ts';
import { type MemoryService, serviceOn } from '../../../support/service.ts';

const NAMES = listBy('name');
const MAP = mapOf('segments', NAMES.index);

const people = (...names: string[]) => names.map((name) => ({ name }));

/** The segments (or sums) of the list by name, as one text. */
async function segmentsIn({ database }: MemoryService, level: 'segments' | 'sums' = 'segments') {
  const tree = treeOf(database, (await readHead(database)).generation);
  const rows = rowsOf(await readNodes(tree, mapOf(level, NAMES.index).name, WHOLE_MAP));
  return sized(rows);
}

type Around = Line['around'];

/** A segment of six users that is to be split because it may have four. `split` splits it. */
async function grown() {
  const given = serviceOn.memory({ sizes: { segmentUsers: 100 } });
  const created = await given.users.createMany(people('aa', 'bb', 'cc', 'dd', 'ee', 'ff'));
  await given.fold();
  expect(await segmentsIn(given)).toBe('\0 6');
  const database = { ...given.database, sizes: { ...given.database.sizes, segmentUsers: 4 } };
  const tree = treeOf(database, (await readHead(database)).generation);
  const rows = rowsOf(await readNodes(tree, MAP.name, WHOLE_MAP));
  const split = async (around: Around = (_, execute) => execute(), until?: number) =>
    splitGrown(
      { ...database, dynamo: given.databaseOf(around).dynamo },
      await readHead(database),
      grownRows(
        database,
        rows.map((row) => ({ map: MAP, row })),
      ),
      until,
    );
  return { ...given, database, created, tree, split };
}

const SPLIT = '\0 3, d\u0003 3';

type Grown = Awaited<ReturnType<typeof grown>>;
/** Prepares a split. @returns what is done around the calls of the fold that splits, if anything is */
type Prepare = (given: Grown) => Promise<Around | undefined>;

function isOfIndex({ input }: Call, name?: string): boolean {
  const { IndexName } = input as { IndexName?: string };
  return name === undefined ? IndexName !== undefined : IndexName === name;
}

/** An index that has something else instead of a user. */
const indexWith =
  (user: User | undefined, instead: (item: { id: number }) => { id: number }[]): Around =>
  async (call, execute) => {
    const response = (await execute()) as { Items?: { id: number }[] };
    const Items = response.Items?.flatMap((item) => (item.id === user?.id ? instead(item) : [item]));
    return isOfIndex(call) ? { ...response, Items } : response;
  };

describe('a segment with too many users', () => {
  test.each<[string, Prepare]>([
    [
      'whatever is in the journal since then',
      async ({ users, created }) => {
        await users.delete(created[0]?.id ?? 0);
        await users.update(created[5]?.id ?? 0, () => ({ name: 'a0' }));
        await users.create({ name: 'cd' });
        return undefined;
      },
    ],
    [
      'whoever writes while an index is read',
      async ({ users, created }) =>
        async (call, execute) => {
          if (isOfIndex(call)) {
            await users.create({ name: 'cd' });
            await users.delete(created[0]?.id ?? 0);
          }
          return execute();
        },
    ],
  ])('is split as it was folded, %s', async (_, prepare) => {
    const given = await grown();
    await given.split(await prepare(given));
    expect(await segmentsIn(given)).toBe(SPLIT);
    await given.fold();
    expect(await verify(given.database)).toMatchObject({ users: 6, ...NOTHING_WRONG });
  });

  /** A fold that makes a segment grow to six users. `around` knows whether entries of the batch have been deleted. */
  async function growing(around: (hasDeleted: boolean, ...parameters: Parameters<Around>) => Promise<unknown>) {
    const given = serviceOn.memory({
      sizes: { segmentUsers: 4 },
      clock: { sleep: async (milliseconds) => given.pass(milliseconds) },
    });
    await given.users.createMany(people('aa', 'bb', 'cc', 'dd'));
    await given.fold();
    const created = await given.users.createMany(people('ee', 'ff'));
    let hasDeleted = false;
    const database = given.databaseOf((call, execute) => {
      hasDeleted ||= call.command === 'BatchWriteCommand';
      return around(hasDeleted, call, execute);
    });
    return { ...given, created, run: () => createFold(database, { ...AT_ONCE, minimumAgeMs: 2_000 }).run(10_000) };
  }

  test('is split before the entries of the batch are deleted: a fold has to wait then', async () => {
    const segments: Promise<string>[] = [];
    const given = await growing(async (_, call, execute) => {
      if (call.command === 'BatchWriteCommand') segments.push(segmentsIn(given));
      return execute();
    });
    await given.run();
    expect(await Promise.all(segments)).toEqual([SPLIT]);
    expect(await verify(given.database)).toMatchObject({ users: 6, ...NOTHING_WRONG });
  });

  test('is split when the entries of its batch have left if its index was late before', async () => {
    let read = 0;
    const given = await growing((hasDeleted, call, execute) => {
      if (isOfIndex(call, NAMES.index.name)) read++;
      return hasDeleted ? execute() : indexWith(given.created[1], () => [])(call, execute);
    });
    await given.run();
    expect([await segmentsIn(given), read]).toEqual([SPLIT, 2]);
    expect(await verify(given.database)).toMatchObject({ users: 6, ...NOTHING_WRONG });
  });

  test.each<[string, Prepare, expected?: string]>([
    ['if the index lacks a user', async ({ created }) => indexWith(created[2], () => [])],
    [
      'if the index has another user instead',
      async ({ created }) => indexWith(created[2], (item) => [{ ...item, id: item.id + 1 }]),
    ],
    [
      'while another batch is under way',
      async ({ store }) =>
        async (call, execute) => {
          const head = store.tables.directory?.get({ pk: 'journal', sk: '#head' });
          if (isOfIndex(call)) store.tables.directory?.put({ ...head, epoch: 2, batch: Uint8Array.from([1, 1]) });
          return execute();
        },
    ],
    [
      'when its node has a later batch than the journal',
      async ({ tree }) => {
        const node = await readFloor(tree, MAP.name, FIRST_BOUND);
        if (!node) throw new Error('There are no segments');
        await replaceRows(tree, { ...node, epoch: node.epoch + 1 }, rowsOf([node]));
        return undefined;
      },
    ],
    [
      'when its node has changed since it was read',
      async ({ users, fold }) =>
        async (call, execute) => {
          if (call.command === 'BatchExecuteStatementCommand') await users.create({ name: 'gg' }).then(() => fold());
          return execute();
        },
      '\0 7',
    ],
  ])('is not split %s', async (_, prepare, expected = '\0 6') => {
    const given = await grown();
    await given.split(await prepare(given));
    expect(await segmentsIn(given)).toBe(expected);
  });
});

describe('sums', () => {
  test('are split with their segments, where segments begin', async () => {
    const given = serviceOn.memory({ sizes: { nodeBytes: 300, segmentUsers: 4, sumUsers: 30 } });
    for (let i = 0; i < 20; i++) {
      await given.users.createMany(people(...Array.from({ length: 7 }, (_, k) => `n${((i * 7 + k) * 37) % 997}`)));
      await given.fold();
    }
    const sums = (await segmentsIn(given, 'sums')).split(', ').map((text) => text.split(' '));
    expect(sums.length).toBeGreaterThan(2);
    expect(sums.reduce((sum, [, users]) => sum + Number(users), 0)).toBe(140);
    const segments = (await segmentsIn(given)).split(', ').map((text) => text.split(' ')[0]);
    expect(sums.filter(([key]) => !segments.includes(key))).toEqual([]);
    expect(await verify(given.database)).toMatchObject({ users: 140, ...NOTHING_WRONG });
  });
});
