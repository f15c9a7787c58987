import { expect, test } from 'vitest';
import { people } from '../../../bench/people.ts';
import { treeOf } from '../../../lib/users/counts/maps.ts';
import { readHead } from '../../../lib/users/journal/items.ts';
import { withFoldHeld } from '../../../lib/users/rebuild/hold.ts';
import { type OnProgress, verify } from '../../../lib/users/rebuild/verify.ts';
import { readFloor } from '../../../lib/users/tree/nodes.ts';
import { FIRST_BOUND } from '../../../lib/users/tree/tree.ts';
import { replaceRows } from '../../../lib/users/tree/write.ts';
import { loadUsers } from '../../../tools/local/loadUsers.ts';
import { holdFor } from '../../support/fake/steps.ts';
import { serviceOn, type TestService } from '../../support/service.ts';

/** Longer than one hold of the fold. */
const FROZEN_MS = 61_000;

/** A service whose statistics lack the totals of all statuses. */
async function damaged(frozen: () => number): Promise<TestService> {
  const service = await serviceOn.embedded({
    clock: {
      now: () => Date.now() + frozen(),
      monotonic: () => performance.now() + frozen(),
    },
  });
  await loadUsers(service, people(1), { users: 50 });
  const tree = treeOf(service, (await readHead(service)).generation);
  const node = await readFloor(tree, 'totals:status', FIRST_BOUND);
  if (!node) throw new Error('There are no totals');
  await replaceRows(tree, node, []);
  return service;
}

test('a repair whose process was frozen does not switch to what it has built: folds may have run in the meantime', async () => {
  let frozen = 0;
  const service = await damaged(() => frozen);
  const before = await readHead(service);
  const onProgress: OnProgress = (step) => {
    if (step === 'rebuild') frozen = FROZEN_MS;
  };
  await expect(verify(service, { repair: true, onProgress })).rejects.toMatchObject({ status: 503 });
  const after = await readHead(service);
  expect([after.generation, after.epoch, after.total]).toEqual([before.generation, before.epoch, 50]);
});

test('a repair does not switch when a fold has run since it began, even if it holds the fold again', async () => {
  const service = await damaged(() => 0);
  const before = await readHead(service);
  let isFirst = true;
  const dynamo = Object.create(service.dynamo, {
    send: {
      value: async (command: { constructor: { name: string } }) => {
        const response = await service.dynamo.send(command as never);
        // The users are read. The process freezes, another one folds, and the timer of this one holds the fold again.
        if (command.constructor.name === 'ScanCommand' && isFirst) {
          isFirst = false;
          await service.users.create({ name: 'Ann' });
          await holdFor(service, -1);
          await service.fold();
          await holdFor(service, FROZEN_MS);
        }
        return response;
      },
    },
  });
  await expect(verify({ ...service, dynamo }, { repair: true, keepOldMs: 0 })).rejects.toMatchObject({ status: 503 });
  const after = await readHead(service);
  expect([after.generation, after.total]).toEqual([before.generation, 51]);
});

test('no fold runs while folds are held, and they run again afterwards', async () => {
  const service = await serviceOn.embedded();
  await service.users.createMany([{ name: 'Ann' }, { name: 'Bea' }]);
  const during = await withFoldHeld(service, () => service.fold(300));
  expect(during).toMatchObject({ folded: 0, left: 2 });
  expect(await service.fold()).toMatchObject({ folded: 2, left: 0 });
});
