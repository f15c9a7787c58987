import { describe, expect, test } from 'vitest';
import { entryKey, packKeys } from '../../../../lib/users/journal/entry.ts';
import { createUserListing } from '../../../../lib/users/listing/listing.ts';
import { verify } from '../../../../lib/users/rebuild/verify.ts';
import { askNames, NOTHING_WRONG } from '../../../support/questions.ts';
import { type MemoryService, serviceOn } from '../../../support/service.ts';

type Given = MemoryService;

const page = ({ database }: Pick<Given, 'database'>) => askNames(createUserListing(database));

const HEAD = { pk: 'journal', sk: '#head' };
const headOf = ({ store }: Given) => store.tables.directory?.get(HEAD);

/** Empties the Directory table, as if somebody had forgotten to restore it. The users stay. */
function loseDirectory({ store }: Pick<Given, 'store'>): void {
  for (const { pk, sk } of store.itemsOf('directory')) store.tables.directory?.delete({ pk, sk });
}

const REFUSED = {
  status: 503,
  message: 'Table directory has no statistics of the users in users: "npm run verify -- --restored" computes them',
};

describe('a new stage', () => {
  test('has no users, and lists its first ones before the first fold, even after changes and deletions', async () => {
    const given = serviceOn.memory();
    expect(await page(given)).toEqual({ names: [], total: 0 });
    const [ann, bob] = await given.users.createMany([{ name: 'Ann' }, { name: 'Bob' }, { name: 'Cem' }]);
    await given.users.update(ann?.id ?? 0, () => ({ name: 'Anne' }));
    await given.users.delete(bob?.id ?? 0);
    expect(await page(given)).toEqual({ names: ['Anne', 'Cem'], total: 2 });
  });

  test('lists a user who is created while it looks for users', async () => {
    const given = serviceOn.memory();
    let isFirst = true;
    const database = given.databaseOf(async (call, execute) => {
      // The journal has been read, and the users have not.
      const isOfUsers = (call.input as { TableName?: string }).TableName === 'users';
      if (isOfUsers && isFirst) {
        isFirst = false;
        await given.users.create({ name: 'Ann' });
      }
      return execute();
    });
    expect(await page({ database })).toEqual({ names: ['Ann'], total: 1 });
  });
});

describe('users whom the journal does not know', () => {
  async function folded() {
    const given = serviceOn.memory();
    const users = await given.users.createMany([{ name: 'Ann' }, { name: 'Bob' }]);
    await given.fold();
    given.pass(10_000);
    return { ...given, ids: users.map(({ id }) => id) };
  }

  async function lost() {
    const given = await folded();
    loseDirectory(given);
    return given;
  }

  /** The fold of the version before may have died in the middle of a batch. */
  async function inEarlierFormat() {
    const given = await folded();
    const { id } = await given.users.create({ name: 'Cem' });
    const head = headOf(given);
    given.store.tables.directory?.put({ ...head, format: 6, batch: packKeys([entryKey({ id, version: 1 })]) });
    return given;
  }

  test.each<[string, (given: Awaited<ReturnType<typeof lost>>) => Promise<unknown>]>([
    ['while nobody writes', async () => {}],
    ['when other users are created', ({ users }) => users.create({ name: 'Cem' })],
    [
      'when many are created with lower ids',
      async ({ users }) => {
        for (let id = 1; id <= 25; id++) await users.createWithId(id, { name: `n${id}` });
      },
    ],
    [
      'when each of them is changed or deleted',
      async ({ users, ids }) => {
        await users.update(ids[0] ?? 0, () => ({ name: 'Anne' }));
        await users.delete(ids[1] ?? 0);
      },
    ],
    [
      'when all of them are deleted, and others exist',
      async ({ users, ids, pass }) => {
        for (const id of ids) await users.delete(id);
        await users.create({ name: 'Cem' });
        pass(10_000);
      },
    ],
  ])('make lists refuse %s, and the message says what to do', async (_, write) => {
    const given = await lost();
    await write(given);
    await expect(page(given)).rejects.toMatchObject(REFUSED);
  });

  test('keep folds and verifications from making a head', async () => {
    const given = await lost();
    await given.users.create({ name: 'Cem' });
    await expect(given.fold()).rejects.toMatchObject(REFUSED);
    await expect(verify(given.database)).rejects.toMatchObject(REFUSED);
    await expect(verify(given.database, { repair: true })).rejects.toMatchObject(REFUSED);
    expect(headOf(given)).toBeUndefined();
  });

  test('are counted by verify --restored, which makes the head', async () => {
    const given = await lost();
    expect(await verify(given.database, { restored: true })).toMatchObject({ users: 2, repaired: true });
    expect(headOf(given)).toMatchObject({ format: 8, total: 2 });
    expect(await page(given)).toEqual({ names: ['Ann', 'Bob'], total: 2 });
    await given.users.create({ name: 'Cem' });
    await given.fold();
    expect(await page(given)).toEqual({ names: ['Ann', 'Bob', 'Cem'], total: 3 });
    expect(await verify(given.database)).toMatchObject({ users: 3, ...NOTHING_WRONG });
  });

  test('are those of an earlier format, which verify --restored brings to this one while users are written', async () => {
    const given = await inEarlierFormat();
    for (const refuses of [() => page(given), () => given.fold(), () => verify(given.database, { repair: true })])
      await expect(refuses()).rejects.toMatchObject(REFUSED);
    const { id } = await given.users.create({ name: 'Dan' });
    const busy = given.databaseOf(async (call, execute) => {
      if (call.command === 'ScanCommand') await given.users.update(id, (now) => ({ ...now, age: (now.age ?? 0) + 1 }));
      return execute();
    });
    expect(await verify(busy, { restored: true, keepOldMs: 0 })).toMatchObject({ users: 4, repaired: true });
    expect(headOf(given)).toMatchObject({ format: 8, total: 4 });
    const expected = { names: ['Ann', 'Bob', 'Cem', 'Dan'], total: 4 };
    expect(await page(given)).toEqual(expected);
    await given.fold();
    expect(await page(given)).toEqual(expected);
    expect(await verify(given.database)).toMatchObject({ users: 4, ...NOTHING_WRONG });
  });

  test('make lists refuse until verify --restored has ended', async () => {
    const given = await folded();
    const dying = given.databaseOf((call, execute) =>
      call.command === 'ScanCommand' ? Promise.reject(new Error('killed')) : execute(),
    );
    await expect(verify(dying, { restored: true })).rejects.toThrow('killed');
    await expect(page(given)).rejects.toMatchObject(REFUSED);
    expect(await verify(given.database, { restored: true })).toMatchObject({ users: 2, repaired: true });
    expect(await page(given)).toEqual({ names: ['Ann', 'Bob'], total: 2 });
  });
});

test.each([5, 9])('tables of format %d are refused by lists and by repairs, and stay as they are', async (format) => {
  const given = serviceOn.memory();
  const head = { ...HEAD, format, epoch: 1, total: 0 };
  given.store.tables.directory?.put(head);
  const refused = { status: 500, message: `The tables have format ${format}; this version knows formats 6 to 8` };
  await expect(page(given)).rejects.toMatchObject(refused);
  await expect(verify(given.database, { repair: true })).rejects.toMatchObject(refused);
  await expect(verify(given.database, { restored: true })).rejects.toMatchObject(refused);
  expect(given.store.itemsOf('directory')).toEqual([head]);
});
