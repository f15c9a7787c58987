import { expect, test } from 'vitest';
import { verify } from '../../../../lib/users/rebuild/verify.ts';
import { usersOf } from '../../../support/fake/steps.ts';
import type { ModelQuery } from '../../../support/model.ts';
import { askPage, expectPage } from '../../../support/questions.ts';
import { serviceOn } from '../../../support/service.ts';

test('a list whose index is newer than the statistics is refused where it must be counted, until they are built again', async () => {
  const { database, store, users, fold, listing } = serviceOn.memory({ sizes: { nearUsers: 2 } });
  await users.createMany(Array.from({ length: 60 }, (_, i) => ({ name: `n${i}`, age: (i * 7) % 40 })));
  await fold();
  const directory = store.tables.directory;
  const head = store.itemsOf('directory').find(({ sk }) => sk === '#head') ?? {};
  const indexes = String(head.segmented).split(',');
  directory?.put({ ...head, segmented: indexes.filter((short) => short !== 'a').join() });
  for (const { pk, sk } of store.itemsOf('directory'))
    if (/:(segments|sums):byAge$/.test(String(pk))) directory?.delete({ pk, sk });

  const byAge: Partial<ModelQuery> = { sort: [{ property: 'age', direction: 'asc' }], size: 10 };
  for (const asked of [
    { ...byAge, page: 3 },
    { 'age.gte': 7, 'age.lt': 31 },
  ])
    await expect(askPage(listing, asked)).rejects.toMatchObject({ status: 503 });
  expect((await askPage(listing, byAge)).page.totalElements).toBe(60);
  expect((await verify(database, { repair: true, keepOldMs: 0 })).repaired).toBe(true);
  for (const page of [0, 3, 5, 6]) await expectPage(listing, usersOf(store), { ...byAge, page });
});
