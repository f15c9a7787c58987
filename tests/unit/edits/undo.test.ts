import { expect, test } from 'vitest';
import { typeOf } from '../../../lib/changes/items.ts';
import { createEdits } from '../../../lib/edits/edits.ts';
import { createUndo } from '../../../lib/edits/undo.ts';
import type { ServiceError } from '../../../lib/ground/index.ts';
import { createUserStore } from '../../../lib/users/store.ts';
import { serviceOn } from '../../support/service.ts';

const historyDays = 7;
const toldOf = (error: unknown) => ({ ...(error as ServiceError), message: 'refused', headers: {}, failures: [] });

test.each([
  [
    'changes her after her history was read',
    (user: object) => ({ ...user, name: 'Ann', age: 7 }),
    'GetCommand',
    ['updated', 'updated', 'created'],
  ],
  [
    'brings her back and deletes her again before she is written',
    undefined,
    'TransactWriteCommand',
    ['deleted', 'created', 'deleted', 'created'],
  ],
])('an undo does not touch a user if another writer %s', async (_, apply, at, types) => {
  const service = serviceOn.memory({ historyDays });
  await service.fold();
  const { id } = await service.users.create({ name: 'Ann', age: 30 });
  const edits = createEdits(service, service);
  const asked = { filters: { id: [id] }, apply, hash: '', atMost: 1 };
  const { edit } = await edits.run(asked, toldOf);
  service.pass(120_000);
  const meddle = async () => {
    if (apply) return void (await service.users.update(id, (user) => ({ ...user, lastName: 'Lee' })));
    await service.users.createWithId(id, { name: 'Another' });
    await service.users.delete(id);
  };
  let isDone = false;
  const database = service.databaseOf(async ({ command, input }, execute) => {
    // The first transaction stores a step of the undo.
    const isOfUser = command === at && JSON.stringify(input).includes('"TableName":"users"');
    if (isOfUser && !isDone) await meddle();
    isDone ||= isOfUser;
    return execute();
  });
  const undo = createUndo(database, createUserStore(database));
  expect(await undo(edit, {}, toldOf)).toMatchObject({ changed: 0, failed: [{ id, status: 412 }], left: 0 });
  const { changes } = await service.changes.history({ id, size: 10, before: undefined });
  expect(changes.map(typeOf)).toEqual(types);
});

test('an undo that is sent again and dies in a step goes on with that step', async () => {
  const service = serviceOn.memory({ historyDays });
  await service.fold();
  const { id } = await service.users.create({ name: 'Ann', externalId: 'x' });
  const { edit } = await createEdits(service, service).run(
    { filters: { id: [id] }, apply: undefined, hash: '', atMost: 1 },
    toldOf,
  );
  const other = await service.users.create({ name: 'Bea', externalId: 'x' });
  const undo = (on = service.databaseOf((_, execute) => execute())) =>
    createUndo(on, createUserStore(on))(edit, {}, toldOf);
  expect(await undo()).toMatchObject({ changed: 0, failed: [{ id, status: 409 }], left: 0 });
  await service.users.delete(other.id);
  let steps = 0;
  const dying = service.databaseOf(async ({ command, input }, execute) => {
    const isStep = command === 'TransactWriteCommand' && JSON.stringify(input).includes(`edit:${edit}-undo`);
    if (isStep && steps++ > 0) throw new Error('dead');
    return execute();
  });
  await expect(undo(dying)).rejects.toThrow();
  await expect(undo()).rejects.toMatchObject({ code: 'edit-busy' });
  service.pass(60_000);
  expect(await undo()).toMatchObject({ changed: 1, failed: [], left: 0 });
  const { changes } = await service.changes.history({ id, size: 10, before: undefined });
  expect(changes.map(typeOf)).toEqual(['created', 'deleted', 'created']);
});
