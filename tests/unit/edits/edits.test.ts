import { expect, test } from 'vitest';
import { createEdits } from '../../../lib/edits/edits.ts';
import type { ServiceError } from '../../../lib/ground/index.ts';
import { createUserStore } from '../../../lib/users/store.ts';
import { serviceOn } from '../../support/service.ts';

const historyDays = 7;
const toldOf = (error: unknown) => ({ ...(error as ServiceError), message: 'refused', headers: {}, failures: [] });

test('an edit whose process ended goes on without the users whom it has changed, also if somebody has changed them back', async () => {
  const service = serviceOn.memory({ historyDays });
  await service.fold();
  const { id } = await service.users.create({ name: 'Ann', age: 30 });
  const { listing } = service;
  const asked = {
    ...{ filters: { id: [id] }, hash: '', atMost: 1, key: 'k' },
    apply: (user: object) => ({ ...user, name: 'Ann', age: 7 }),
  };
  let isDead = false;
  const database = service.databaseOf(async ({ input }, execute) => {
    if (isDead) throw new Error('The process has ended');
    const done = await execute();
    isDead = JSON.stringify(input).includes('"TableName":"users"') && JSON.stringify(input).includes('"age":7');
    return done;
  });
  const ended = createEdits(database, { users: createUserStore(database), listing });
  await expect(ended.run(asked, toldOf)).rejects.toThrow();
  expect(await service.users.get(id)).toMatchObject({ age: 7 });
  await service.users.update(id, (user) => ({ ...user, age: 30 }));
  service.pass(120_000);
  const edits = createEdits(service, service);
  expect(await edits.run(asked, toldOf)).toMatchObject({ changed: 1, unchanged: 0, failed: [], left: 0 });
  expect(await service.users.get(id)).toMatchObject({ age: 30 });
});

test('whoever no longer matches when it is their turn stays as they are', async () => {
  const service = serviceOn.memory({ historyDays });
  await service.fold();
  const { id, version } = await service.users.create({ name: 'Ann', age: 30 });
  const listing = {
    ...service.listing,
    async matching(...asked: Parameters<typeof service.listing.matching>) {
      const found = await service.listing.matching(...asked);
      await service.users.update(id, (user) => ({ ...user, age: 31 }));
      return found;
    },
  };
  const edits = createEdits(service, { users: service.users, listing });
  const edit = { filters: { age: [30] }, hash: '', atMost: 1, apply: (user: object) => ({ ...user, name: 'Eve' }) };
  expect(await edits.run(edit, toldOf)).toMatchObject({ changed: 0, unchanged: 0, failed: [], left: 0 });
  expect(await service.users.get(id)).toMatchObject({ name: 'Ann', age: 31, version: version + 1 });
});
