import { describe, expect, test } from 'vitest';
import { createEdits } from '../../../lib/edits/edits.ts';
import { createUndo } from '../../../lib/edits/undo.ts';
import { createFold } from '../../../lib/replica/fold.ts';
import { readHead } from '../../../lib/replica/journal.ts';
import { LIMITS, sizeOf } from '../../../lib/replica/limits.ts';
import { mayBeOtherwise } from '../../../lib/replica/room.ts';
import { createUserListing } from '../../../lib/users/lists.ts';
import { createUserStore } from '../../../lib/users/store.ts';
import { verify } from '../../../tools/verify/verify.ts';
import { AT_ONCE } from '../../support/fake/steps.ts';
import { logOfEachTest } from '../../support/logs.ts';
import { askNames, NOTHING_WRONG } from '../../support/questions.ts';
import { type MemoryService, serviceOn } from '../../support/service.ts';

const NONE = { unpacked: 0, users: 0 };

const log = logOfEachTest();

const USERS = 300;
const LONG = 'x'.repeat(200);
const BASE_BYTES = 30_000;

const FULL = { status: 503, message: expect.stringContaining('The users no longer fit into the memory for lists') };

const shareOf = async ({ database }: Pick<MemoryService, 'database'>): Promise<number> =>
  sizeOf((await readHead(database))?.base ?? NONE) / database.limits.baseBytes;

/** The total of a list in a new container. */
const totalOf = async ({ database }: Pick<MemoryService, 'database'>): Promise<number> =>
  (await askNames(createUserListing(database))).total;

/** A stage that was filled by PATCHes of names, and its users: some of them have the long one. */
async function filled() {
  const service = serviceOn.memory({ limits: { baseBytes: BASE_BYTES }, historyDays: 7 });
  const created = await service.users.createMany(
    Array.from({ length: USERS }, (_, i) => ({ name: `n${i}`, externalId: `x${i}` })),
  );
  await service.fold();
  const ids = created.map(({ id }) => id);
  let longer = 0;
  for (const id of ids) {
    // Each comes to another container, which looks at the head: these few writes are a large part of so small a stage.
    const name = `${id}${LONG}`.slice(0, 200);
    const refusal = await createUserStore(service.database)
      .update(id, (user) => ({ ...user, name }))
      .then(() => undefined)
      .catch((error: unknown) => error);
    if (refusal) {
      expect(refusal).toMatchObject(FULL);
      break;
    }
    if (++longer % 4 > 0) continue;
    await service.fold();
    expect(await totalOf(service)).toBe(USERS);
  }
  return { ...service, ids, longer, users: createUserStore(service.database) };
}

const throwing = (error: unknown) => {
  throw error;
};

describe('a stage that PATCHes of names have filled', () => {
  test('refuses them before lists have no room, whose new containers go on', async () => {
    const { longer, ...service } = await filled();
    expect(longer).toBeGreaterThan(50);
    expect(longer).toBeLessThan(USERS / 2);
    expect(await shareOf(service)).toBeGreaterThan(0.93);
    expect(await shareOf(service)).toBeLessThan(1);
  });

  test('refuses each way that makes a user longer, and takes what does not', async () => {
    const { ids, ...service } = await filled();
    const { users, database } = service;
    const id = ids.at(-1) ?? 0;
    const fields = { name: 'n299', externalId: 'x299' };
    const edits = createEdits(database, { users, listing: service.listing });
    const edit = (apply: (user: object) => { name: string }, atMost = 1) =>
      edits.run({ filters: { id: [id] }, apply, hash: '', atMost }, throwing);
    const gone = await edits.run({ filters: { id: [ids[7] ?? 0] }, apply: undefined, hash: '', atMost: 1 }, throwing);
    for (const longer of [
      users.create({ name: 'Ann' }),
      users.createOnce({ key: 'k', fields: { name: 'Ann' } }),
      users.createWithId(ids[7] ?? 0, { name: 'Ann' }),
      users.update(id, () => ({ ...fields, status: 'x' })),
      users.update(id, (user) => ({ ...user, name: 'n2999' })),
      users.update(id, (user) => ({ ...user, name: 'm299' })),
      users.upsert('x299', { ...fields, name: 'o299' }, () => {}),
      edit((user) => ({ ...user, name: 'p299' })),
      users.upsert('x299', { ...fields, age: 7 }, () => {}),
      users.upsert('new', { name: 'Ann', externalId: 'new' }, () => {}),
      edit((user) => ({ ...user, name: LONG })),
    ])
      await expect(longer).rejects.toMatchObject(FULL);
    await expect(createUndo(database, users)(gone.edit, {}, throwing)).rejects.toMatchObject(FULL);
    expect(await users.upsert('x299', { ...fields, name: 'm2' }, () => {})).toMatchObject({ user: { name: 'm2' } });
    expect(await edit((user) => ({ ...user, name: 'k' }))).toMatchObject({ changed: 1, failed: [] });
    expect(await users.update(id, ({ name }) => ({ name }))).toMatchObject({ name: 'k' });
  });

  test('has room again when users have gone', async () => {
    const { ids, longer, ...service } = await filled();
    const { fold, users } = service;
    for (const id of ids.slice(0, longer / 2)) await users.delete(id, () => {});
    await fold();
    expect(await totalOf(service)).toBe(USERS - Math.floor(longer / 2));
    // With a clock that stands, ids that are drawn may be those of the users at hand, forty in a row.
    service.pass(1_000);
    // A container that has found no room looks again after five writes. A new one looks at once.
    expect(await createUserStore(service.database).create({ name: 'Ann' })).toMatchObject({ name: 'Ann' });
    expect(await shareOf(service)).toBeLessThan(0.95);
  });
});

/** A base of `times` as many bytes as lists can have, and the service with these limits. */
async function tooLarge(times: number) {
  const service = serviceOn.memory();
  const created = await service.users.createMany(
    Array.from({ length: USERS }, (_, i) => ({ name: `${i}${LONG}`.slice(0, 200) })),
  );
  await service.fold();
  const baseBytes = Math.floor(sizeOf((await readHead(service.database))?.base ?? NONE) / times);
  const database = { ...service.database, limits: { ...service.database.limits, baseBytes } };
  const fold = () => createFold(database, AT_ONCE).run(1_000);
  const ids = created.map(({ id }) => id);
  return { ...service, database, fold, ids, users: createUserStore(database) };
}

const WEEK_MS = 7 * 24 * 60 * 60_000;

const TOO_LARGE = 'do not fit into the memory';

test('a base that is too large for lists is merged when enough users have gone, and lists go on', async () => {
  const { ids, ...service } = await tooLarge(1.44);
  await service.fold();
  await expect(totalOf(service)).rejects.toMatchObject({ status: 503, message: expect.stringContaining(TOO_LARGE) });
  for (const id of ids.slice(0, 40)) await service.users.delete(id, () => {});
  await service.fold();
  expect(await shareOf(service)).toBeCloseTo(1.44);
  for (const id of ids.slice(40, 55)) await service.users.delete(id, () => {});
  await service.fold();
  expect(await shareOf(service)).toBeLessThan(1.2);
  expect(await totalOf(service)).toBe(USERS - 55);
  expect(await verify(service.database)).toMatchObject(NOTHING_WRONG);
  expect(log.faults).toEqual([]);
});

test('a base that is too large to be merged is told, and stops no entries; lists go on when enough users have gone', async () => {
  const { ids, ...service } = await tooLarge(1.92);
  for (const id of ids.slice(0, 40)) await service.users.delete(id, () => {});
  service.pass(WEEK_MS + 1);
  expect(await service.fold()).toMatchObject({ folded: 40, left: 0 });
  expect(log.faults.map(({ message }) => message)).toContainEqual(expect.stringContaining(TOO_LARGE));
  expect(await shareOf(service)).toBeCloseTo(1.92);
  for (const id of ids.slice(40, 200)) await service.users.delete(id, () => {});
  expect(await service.fold()).toMatchObject({ folded: 160, left: 0 });
  expect(await shareOf(service)).toBeLessThan(0.72);
  expect(await totalOf(service)).toBe(USERS - 200);
  expect(await verify(service.database)).toMatchObject(NOTHING_WRONG);
});

/** Users who share a name, in a stage of which their base takes a small part, and each text of their own a larger one. */
async function ofOneName(count: number, more: object = {}) {
  const service = serviceOn.memory({ limits: { baseBytes: 100_000 }, historyDays: 7 });
  const created = await service.users.createMany(Array.from({ length: count }, () => ({ name: LONG, ...more })));
  await service.fold();
  return { ...service, ids: created.map(({ id }) => id) };
}

/** Calls it for each user, in a container of its own, with a fold after some of them. @returns how many were refused */
async function fillBy(
  { database, fold, ids, pass }: Awaited<ReturnType<typeof ofOneName>>,
  change: (users: ReturnType<typeof createUserStore>, id: number) => Promise<unknown>,
): Promise<number> {
  let refusals = 0;
  for (const [i, id] of ids.entries()) {
    pass(1);
    await change(createUserStore(database), id).catch((error: unknown) => {
      expect(error).toMatchObject(FULL);
      refusals++;
    });
    if (i % 10 === 9) await fold();
  }
  await fold();
  return refusals;
}

const own = (id: number) => `${id}${LONG}`.slice(0, LONG.length);

describe('a stage whose users share a text has room for as long as it has not for their own', () => {
  test.each<[way: string, change: Parameters<typeof fillBy>[1]]>([
    ['names', (users, id) => users.update(id, (user) => ({ ...user, name: own(id) }))],
    ['values', (users, id) => users.update(id, (user) => ({ ...user, attributes: { note: own(id) } }))],
    ['lists', (users, id) => users.update(id, (user) => ({ ...user, attributes: { note: [own(id)] } }))],
    [
      'deletions and creations in turn',
      async (users, id) => {
        await users.delete(id, () => {});
        await users.create({ name: own(id), attributes: { note: LONG } });
      },
    ],
  ])('%s', async (_, change) => {
    const service = await ofOneName(700, { attributes: { note: LONG } });
    expect(await shareOf(service)).toBeLessThan(0.25);
    const refusals = await fillBy(service, change);
    expect(refusals).toBeGreaterThan(200);
    expect(await shareOf(service)).toBeGreaterThan(0.9);
    expect(await shareOf(service)).toBeLessThan(1);
    await totalOf(service);
    expect(await verify(service.database)).toMatchObject(NOTHING_WRONG);
  });
});

test('a stage that is nearly full is not merged for each text that takes the place of another one', async () => {
  const limits = { baseBytes: 100_000 };
  const near = { unpacked: 94_999, users: 0 };
  const isDue = (grown: number) => mayBeOtherwise({ ...LIMITS, ...limits }, sizeOf(near), { grown, shrunk: grown });
  expect([0, 999, 1_000].map(isDue)).toEqual([false, false, true]);
});
