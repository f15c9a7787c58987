import { expect, test } from 'vitest';
import { createMerge } from '../../../../lib/users/fold/merge.ts';
import { readHead } from '../../../../lib/users/journal/items.ts';
import { createNodeCache } from '../../../../lib/users/tree/cache.ts';
import { named } from '../../../support/fake/steps.ts';
import { serviceOn } from '../../../support/service.ts';

const WAIT_MS = 2_000;

test('a merge ends only some time after its last node was written', async () => {
  const { users, database, fold, pass } = serviceOn.memory({ sizes: { recentBytes: 0 } });
  for (const name of ['ab', 'c']) {
    await users.createMany(named(name));
    await fold();
  }
  // The names of the first batch are merged already. This merge begins with the names of the second one.
  await users.createMany(named('d'));
  const merge = createMerge(database, createNodeCache(), WAIT_MS);
  const before = await readHead(database);
  const head = { ...before, ...(await merge.next(before, 1)) };
  expect(head.isMerging).toBe(true);

  expect((await merge.settle(head)).isMerging).toBe(true);
  await merge.advance(head, Number.POSITIVE_INFINITY);
  expect((await merge.settle(head)).isMerging).toBe(true);
  pass(WAIT_MS - 1);
  expect((await merge.settle(head)).isMerging).toBe(true);
  pass(1);
  expect((await merge.settle(head)).isMerging).toBe(false);
});
