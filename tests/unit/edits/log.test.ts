import { expect, test } from 'vitest';
import { createEdits } from '../../../lib/edits/edits.ts';
import { readState, stateOf } from '../../../lib/edits/log.ts';
import { createUndo } from '../../../lib/edits/undo.ts';
import type { User } from '../../../lib/users/user.ts';
import { logOfEachTest } from '../../support/logs.ts';
import { serviceOn } from '../../support/service.ts';

logOfEachTest();

const DAYS = 7;
const DAY_MS = 86_400_000;

const toldOf = (error: unknown) => ({ status: 400, message: String(error), code: 'validation' });

/** A service with users, and an edit of all of them, by steps of three users. */
function withEdit() {
  const service = serviceOn.memory({ limits: { editStep: 3, editMs: 1_000 }, historyDays: DAYS });
  const edits = createEdits(service.database, service);
  const undo = createUndo(service.database, service.users);
  const run = (apply: (user: User) => User, name?: string, withinMs?: number) =>
    edits.run({ filters: {}, apply, by: 'ann', hash: 'h', atMost: 100, name, withinMs }, toldOf);
  const state = async (name: string) => {
    const log = await readState(service.database, name);
    return log && stateOf(log);
  };
  return {
    service,
    run,
    state,
    undo: (name: string, withinMs?: number) => undo(name, { by: 'bea' }, toldOf, { withinMs }),
  };
}

const older = (user: User): User => ({ ...user, age: 7 });

/** A patch is first tried on somebody with this id. */
const ANYBODY = 1;

const create = (service: ReturnType<typeof withEdit>['service'], count: number) =>
  service.users.createMany(Array.from({ length: count }, (_, n) => ({ name: `n${n}` })));

test('an edit that is not done says how many are left, and when and by whom it was begun', async () => {
  const { service, run, state } = withEdit();
  await create(service, 8);
  await service.fold();
  const at = service.database.runtime.now();
  const slow = (user: User) => {
    if (user.id !== ANYBODY) service.pass(400);
    return older(user);
  };
  const report = await run(slow);
  expect(report).toMatchObject({ changed: 3, left: 5 });
  expect(await state(report.edit)).toEqual({ ...report, at, by: 'ann' });
  const done = await run(older, report.edit);
  expect(done).toMatchObject({ changed: 8, left: 0 });
  expect(await state(report.edit)).toEqual({ ...done, at, by: 'ann' });
});

test('a call of an edit or of an undo ends sooner if its client waits for less', async () => {
  const { service, run, undo } = withEdit();
  await create(service, 8);
  await service.fold();
  const slow = (user: User) => {
    if (user.id !== ANYBODY) service.pass(100);
    return older(user);
  };
  const report = await run(slow, undefined, 300);
  expect(report).toMatchObject({ changed: 3, left: 5 });
  const { edit } = report;
  expect(await run(slow, edit, 500)).toMatchObject({ changed: 8, left: 0 });
  expect(await undo(edit, 0)).toMatchObject({ changed: 0, left: 8 });
  expect(await undo(edit, 10_000)).toMatchObject({ changed: 8, left: 0 });
});

test('users whom a call works on are left', async () => {
  const { service, run, state } = withEdit();
  await create(service, 8);
  await service.fold();
  let [name, seen]: [string, unknown] = ['', undefined];
  const report = await run((user) => {
    const log = service.store.itemsOf('directory').find(({ pk }) => String(pk).startsWith('edit:'));
    name = String(log?.pk).slice('edit:'.length);
    if (log) seen ??= state(name);
    return older(user);
  });
  expect(report).toMatchObject({ edit: name, changed: 8 });
  expect(await seen).toMatchObject({ changed: 0, left: 8 });
});

test('an edit that was undone leaves nobody, and its undo is told of as an edit', async () => {
  const { service, run, state, undo } = withEdit();
  const users = await create(service, 8);
  await service.fold();
  const { edit } = await run((user) => {
    service.pass(400);
    return older(user);
  });
  await service.users.edit(users[0]?.id ?? 0, {}, async (user) => ({ ...user, age: 8 }));
  const undone = await undo(edit);
  expect(await state(edit)).toMatchObject({ changed: 3, failed: [], left: 0 });
  expect(await state(`${edit}-undo`)).toEqual({ ...undone, at: service.database.runtime.now(), by: 'bea' });
  expect(undone).toMatchObject({ changed: 2, failed: [{ id: users[0]?.id }] });
});

test('an edit is told of for as long as changes are kept, with those who failed in any of its steps', async () => {
  const { service, run, state } = withEdit();
  const [first] = await create(service, 8);
  await service.fold();
  const { edit } = await run((user) => {
    if (user.id === first?.id) throw new Error('no');
    return older(user);
  });
  const { edit: clean } = await run((user) => ({ ...user, age: 8 }));
  service.pass(DAYS * DAY_MS - 1);
  expect(await state(edit)).toMatchObject({ changed: 7, failed: [{ id: first?.id, status: 400 }] });
  service.pass(2_000);
  expect([await state(edit), await state(clean)]).toEqual([undefined, undefined]);
  expect(await state('0123456789abcdef')).toBeUndefined();
});
