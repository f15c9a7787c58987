import { expect, test } from 'vitest';
import { verify } from '../../../../lib/users/rebuild/verify.ts';
import { pack, unpack } from '../../../../lib/users/tree/pack.ts';
import { serviceOn } from '../../../support/service.ts';

test('a list is wrong if its first segment has a lower bound, even if all numbers add up', async () => {
  const { store, database, users, fold } = serviceOn.memory();
  await users.createMany(['b', 'c', 'd'].map((name) => ({ name })));
  await fold();
  expect((await verify(database)).wrong).toEqual([]);
  const node = store.itemsOf('directory').find(({ pk }) => /:segments:byName$/.test(String(pk))) ?? {};
  const rows = unpack(node.data as Uint8Array).map(({ counts }) => ({ counts, key: 'c' }));
  store.tables.directory?.put({ ...node, data: pack(rows) });
  expect((await verify(database)).wrong).toEqual(['segments:byName']);
});
