import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServiceError } from '../../lib/ground/index.ts';
import { readHead } from '../../lib/replica/index.ts';
import { ensureBase } from '../../lib/replica/internals.ts';
import { isUser, type Limits, toUser } from '../../lib/users/database.ts';
import type { UserFields } from '../../lib/users/user.ts';
import { verify } from '../../tools/verify/verify.ts';
import { settled, usersOf } from '../support/fake/steps.ts';
import { expectPage, NOTHING_WRONG } from '../support/questions.ts';
import { serviceOn, type TestService } from '../support/service.ts';

const TIMES = Number(process.env.TIMES ?? 1);

/** A few users have batches, deltas and bases of several parts, and merges. */
const LOW: Partial<Limits> = {
  batchEntries: 2,
  deltaCharacters: 20,
  deltaKeys: 2,
  manyUsers: 1,
  partBytes: 100,
  mergeLeast: 2,
  mergeShare: 0.1,
};

type Users = TestService['users'];

/** A write of a user: the fields after it, or undefined if it deletes the user. */
type Write = (fields: UserFields) => UserFields | undefined;

const put =
  (fields: UserFields): Write =>
  () =>
    fields;
const patch =
  (fields: Partial<UserFields>): Write =>
  (before) => ({ ...before, ...fields });
const remove: Write = () => undefined;

const fieldsIn = (user: object): UserFields => {
  const { id: _, version: __, updatedAt: ___, ...fields } = user as Record<string, unknown>;
  return fields as unknown as UserFields;
};

const ANN: UserFields = { name: 'Ann', lastName: 'abab', status: 'on', country: 'DE' };

async function carriedOut(write: Write, users: Users, id: number): Promise<UserFields | undefined> {
  if (write === remove) return void (await users.delete(id));
  return fieldsIn(await users.update(id, (user) => write(fieldsIn(user)) as UserFields));
}

const sorted = (value: unknown) =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

const told = (outcome: unknown[]): string => JSON.stringify(outcome.map(sorted));

/** The responses to two writes that are carried out in this order, and the user after them. */
function inOrder(first: Write, second: Write): [unknown, unknown, unknown] {
  const between = first(ANN);
  return [between, between ? second(between) : 404, between && second(between)];
}

/** Runs something in processes whose calls take turns by chance, beside folds. @returns the results, or statuses of refusals */
async function besideFolds(
  scheduler: fc.Scheduler,
  work: ((users: Users, id: number) => Promise<unknown>)[],
): Promise<{ results: unknown[]; stored: ReturnType<typeof toUser>[]; id: number }> {
  const service = serviceOn.memory({ limits: LOW, historyDays: 7 });
  const [first] = await service.users.createMany([ANN, { name: 'Bea', lastName: 'ab' }]);
  const id = first?.id ?? 0;
  const process = () => service.processOf((_, execute) => scheduler.schedule(Promise.resolve()).then(execute));
  const results = work.map((each) =>
    each(process().users, id).catch((error: unknown) => {
      if (error instanceof ServiceError && error.status < 500) return error.status;
      throw error;
    }),
  );
  const folds = [process(), process()].map((each) => each.fold().then(() => each.fold()));
  const all = await scheduler.waitFor(Promise.all([...results, ...folds]));
  const stored = service.store.itemsOf('users').filter(isUser).map(toUser);
  await service.fold();
  expect(await verify(service.database)).toMatchObject({ ...NOTHING_WRONG, wrongChanges: 0 });
  return { results: all.slice(0, work.length), stored, id };
}

test.each<[string, Write, Write]>([
  ['put and put', put({ name: 'B', lastName: 'b' }), put({ name: 'C', lastName: 'ab' })],
  ['patch and patch', patch({ status: 'off' }), patch({ country: 'FR', lastName: 'ba' })],
  ['put and patch', put({ name: 'B', lastName: 'b' }), patch({ status: 'off' })],
  ['put and delete', put({ name: 'B', lastName: 'b' }), remove],
  ['delete and delete', remove, remove],
])(
  '%s of one user have an outcome as if one came after the other, in whatever order their calls are carried out',
  async (_, a, b) => {
    const [second, first, end] = inOrder(b, a);
    const allowed = [inOrder(a, b), [first, second, end]].map(told);
    const property = fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const work = [a, b].map((write) => (users: Users, id: number) => carriedOut(write, users, id));
      const { results, stored, id } = await besideFolds(scheduler, work);
      const left = stored.find((user) => user.id === id);
      expect(allowed).toContain(told([...results, left && fieldsIn(left)]));
    });
    await fc.assert(property, { numRuns: 20 * TIMES });
  },
);

test('creates with one idempotency key create one user, and others one each, in whatever order their calls are carried out', async () => {
  const createOnce = (users: Users) => users.createOnce({ key: 'k', fields: ANN }).then(({ user }) => user.id);
  const create = (users: Users) => users.create({ name: 'New', lastName: 'abab' }).then(({ id }) => id);
  const property = fc.asyncProperty(fc.scheduler(), async (scheduler) => {
    const { results, stored } = await besideFolds(scheduler, [createOnce, createOnce, create, create]);
    const [one, same, ...others] = results;
    expect(same).toBe(one);
    expect(stored).toHaveLength(5);
    expect(stored.map(({ id }) => id)).toEqual(expect.arrayContaining([one, ...others]));
  });
  await fc.assert(property, { numRuns: 20 * TIMES });
});

const EIGHT = Array.from('abcdefgh', (name) => ({ name, lastName: name }));

test('a head that is lost is made again with a later epoch than anything stored has, by whatever clock: so the next base sweeps all of it', async () => {
  const { users, fold, store, database, pass } = serviceOn.memory({ limits: LOW });
  await users.createMany(EIGHT);
  await fold();
  pass(-3_600_000);
  store.lose('directory', ({ sk }) => sk === '#head');
  await ensureBase(database);
  await users.createMany(EIGHT);
  for (let i = 0; i < 3; i++) {
    await fold();
    pass(700_000);
  }
  const { name } = (await readHead(database))?.base ?? { name: '' };
  const parts = store.itemsOf('directory').filter(({ pk }) => /^(base:|deltas)/.test(String(pk)));
  expect(parts.filter(({ sk }) => !String(sk).startsWith(name))).toEqual([]);
  expect(parts.length).toBeGreaterThan(0);
});

test('who was frozen while it made a head, and slept through another one, makes it of what the journal has by then', async () => {
  const { users, store, database, processOf, pass } = serviceOn.memory({ limits: LOW });
  const { promise: frozen, resolve: goOn } = Promise.withResolvers<void>();
  const { fold } = processOf(async ({ input }, execute) => {
    const response = await execute();
    // It has just read the journal, and looks for the last epoch.
    if ((input as { ScanIndexForward?: boolean }).ScanIndexForward === false) await frozen;
    return response;
  });
  await users.createMany(EIGHT.slice(0, 1));
  const folding = fold(1_000);
  await settled();
  await ensureBase(database);
  await users.createMany(EIGHT);
  store.lose('directory', ({ sk }) => sk === '#head');
  pass(3_600_000);
  goOn();
  await folding;
  expect((await readHead(database))?.batch).toHaveLength(9);
});

test('a request that another one of its container overtakes shows the users of its own tag', async () => {
  const { users, fold, store, processOf } = serviceOn.memory({ limits: LOW });
  let held: Promise<void> | undefined;
  const { listing } = processOf(async (_, execute) => {
    const [own, response] = [held, await execute()];
    await own;
    return response;
  });
  const [ann] = await users.createMany(EIGHT);
  await fold();
  await expectPage(listing, usersOf(store), {});
  const before = usersOf(store);
  const { promise, resolve: goOn } = Promise.withResolvers<void>();
  held = promise;
  const overtaken = expectPage(listing, before, {});
  await settled();
  held = undefined;
  await users.update(ann?.id ?? 0, (user) => ({ ...user, age: 5 }));
  const { tag } = await expectPage(listing, usersOf(store), {});
  goOn();
  expect((await overtaken).tag).not.toBe(tag);
});
