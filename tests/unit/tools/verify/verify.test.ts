import { describe, expect, test } from 'vitest';
import { deleteItems, putItems } from '../../../../lib/dynamodb/index.ts';
import { readHead } from '../../../../lib/replica/index.ts';
import { userItem } from '../../../../lib/users/database.ts';
import { FIELD_NAMES } from '../../../../lib/users/user.ts';
import { isAllRight, verify } from '../../../../tools/verify/verify.ts';
import { named } from '../../../support/fake/steps.ts';
import { askNames } from '../../../support/questions.ts';
import { type MemoryService, serviceOn } from '../../../support/service.ts';

/** Three users who are folded. */
async function stage(mergeLeast = 2_000) {
  const service = serviceOn.memory({ limits: { mergeLeast } });
  const [a = 0, b = 0, c = 0] = (await service.users.createMany(named('a', 'b', 'c'))).map(({ id }) => id);
  await service.fold();
  return { ...service, a, b, c };
}

/** Does something once, after the first read of all users. */
function afterScan({ databaseOf }: MemoryService, meddle: () => Promise<unknown>) {
  let isDone = false;
  return databaseOf(async ({ command }, execute) => {
    const result = await execute();
    if (command === 'ScanCommand' && !isDone) {
      isDone = true;
      await meddle();
    }
    return result;
  });
}

describe('a verification', () => {
  test('names the users whom lists have otherwise than the table, and their fields, but no values', async () => {
    const { database, store, listing, a, b, c } = await stage();
    // A container has them before they are repaired.
    expect(await askNames(listing)).toMatchObject({ total: 3 });
    store.tables.users?.put(userItem({ id: a, version: 1, name: 'Ann', age: 7 }));
    store.tables.users?.delete({ id: b });
    store.tables.users?.put(userItem({ id: c + 1, version: 1, name: 'New' }));
    const before = await readHead(database);
    const report = await verify(database);
    expect(report).toEqual({
      users: 3,
      differences: [
        { id: a, fields: ['age', 'lastName'] },
        { id: b, fields: FIELD_NAMES },
        { id: c + 1, fields: FIELD_NAMES },
      ],
      ...{ changes: 0, wrongChanges: 0, isIndexed: false, isBroken: false, repaired: false },
    });
    expect(isAllRight(report)).toBe(false);
    expect(await readHead(database)).toEqual(before);
    expect(await verify(database, { repair: true })).toMatchObject({ differences: [{}, {}, {}], repaired: true });
    expect(await askNames(listing)).toEqual({ names: ['Ann', 'Ann', 'New'], total: 3 });
    expect(await verify(database, { repair: true })).toMatchObject({ differences: [], repaired: false });
  });

  test('finds nothing beside writers and folds, and its repair loses nothing', async () => {
    const service = await stage();
    const { users, fold, database, listing, a, b } = service;
    const beside = () =>
      afterScan(service, async () => {
        await users.update(a, ({ version: _, id: __, ...fields }) => ({ ...fields, age: (fields.age ?? 0) + 1 }));
        await users.createMany(named('d'));
        await fold();
        await users.createMany(named('e'));
      });
    expect(await verify(beside())).toMatchObject({ users: 3, differences: [] });
    await users.delete(b);
    expect(await verify(beside(), { always: true })).toMatchObject({ users: 4, repaired: true });
    expect(await askNames(listing)).toMatchObject({ total: 6 });
    expect(await verify(database)).toMatchObject({ users: 6, differences: [] });
  });

  test('does not put what it has read in the place of a later base, or of one that was read meanwhile', async () => {
    const service = await stage(3);
    const { users, fold, database, listing } = service;
    const merging = async () => {
      await users.createMany(named('d', 'e', 'f'));
      await fold();
    };
    for (const meddle of [merging, () => verify(database, { always: true })]) {
      await expect(verify(afterScan(service, meddle), { always: true })).rejects.toMatchObject({ status: 503 });
      expect(await askNames(listing)).toMatchObject({ total: 6 });
    }
    expect(await verify(database)).toMatchObject({ users: 6, differences: [] });
  });

  test.each([
    [
      'base that has lost a part',
      async ({ database, store }: MemoryService) => {
        const { base } = (await readHead(database)) ?? {};
        const parts = store.itemsOf('directory').filter(({ sk }) => String(sk).startsWith(`${base?.name}`));
        const keys = parts.map(({ pk, sk }) => ({ pk, sk }));
        await deleteItems(database, 'directory', keys);
      },
    ],
    [
      'delta that does not hold',
      async ({ database, users, fold, store }: MemoryService) => {
        const [{ id } = { id: 0 }] = await users.createMany(named('d'));
        await fold();
        const delta = store.itemsOf('directory').find(({ pk }) => pk === 'deltas') ?? {};
        await putItems(database, 'directory', [{ ...delta, checksum: Number(delta.checksum) - 1 }]);
        store.tables.users?.delete({ id });
      },
    ],
  ])('tells of a %s, and puts another base in place', async (_, damage) => {
    const service = await stage();
    const { database, listing } = service;
    await damage(service);
    const report = await verify(database);
    expect([report.isBroken, isAllRight(report)]).toEqual([true, false]);
    expect(isAllRight(await verify(database, { repair: true }))).toBe(true);
    expect(await askNames(listing)).toMatchObject({ total: 3 });
    expect(await verify(database)).toMatchObject({ isBroken: false, differences: [] });
  });

  test('of a stage without a head is 503 until the fold has made one: it knows in how many parts others write', async () => {
    const { database, store, fold } = await stage();
    store.tables.directory?.delete({ pk: 'journal', sk: '#head' });
    await expect(verify(database)).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining('the fold makes one'),
    });
    await fold();
    expect(isAllRight(await verify(database))).toBe(true);
  });

  test('of restored tables forgets the journal, and makes head, line, feed and base anew', async () => {
    const { users, store, database, listing, fold, a, b } = await stage();
    await users.delete(a);
    // The users are of a moment before the journal.
    store.tables.users?.put(userItem({ id: a, version: 1, name: 'Back' }));
    const before = await readHead(database);
    expect(await verify(database, { restored: true })).toMatchObject({ users: 3, differences: [], repaired: true });
    const head = await readHead(database);
    expect([head?.batch, head?.generation === before?.generation, head?.feed === before?.feed]).toEqual([
      [],
      false,
      false,
    ]);
    expect(await askNames(listing)).toEqual({ names: ['Back', 'Ann', 'Ann'], total: 3 });
    await users.delete(b);
    await fold();
    expect(await verify(database)).toMatchObject({ users: 2, differences: [] });
  });
});
