import { expect, test } from 'vitest';
import { people } from '../../lib/tooling/local/people.ts';
import { withFoldHeld } from '../../lib/users/rebuild/hold.ts';
import { loadUsers } from '../../lib/users/rebuild/load.ts';
import { verify } from '../../lib/users/rebuild/verify.ts';
import { readPages, WHOLE_MAP } from '../../lib/users/statistics/pages.ts';
import { writePage } from '../../lib/users/statistics/pageWrites.ts';
import { createTestService } from '../support/store.ts';

/** Longer than one hold of the fold. */
const FROZEN_MS = 61_000;

test('a repair whose process was frozen writes nothing, because folds may have run', async () => {
  let frozen = 0;
  const service = await createTestService({ monotonic: () => performance.now() + frozen });
  await loadUsers(service, people(1), { users: 50 });
  const map = 'totals:status';
  const [page] = await readPages(service, map, WHOLE_MAP);
  if (!page) throw new Error(`${map} has no pages`);
  const damaged = await writePage(service, { pk: map, sk: page.sk, epoch: page.epoch, end: page.end }, [], page);
  const freeze = () => {
    frozen = FROZEN_MS;
  };
  const repairing = verify(service, { repair: true, onProgress: freeze });
  await expect(repairing).rejects.toMatchObject({ status: 503 });
  const [after] = await readPages(service, map, WHOLE_MAP);
  expect(after?.revision).toBe(page.revision + 1);
  expect(after?.revision).toBe(damaged?.revision);
});

test('no fold runs while it is held, and folds run again afterwards', async () => {
  const service = await createTestService();
  await service.users.createMany([{ name: 'Ann' }, { name: 'Bea' }]);
  const during = await withFoldHeld(service, () => service.fold.run(300));
  expect(during).toMatchObject({ folded: 0, left: 2 });
  expect(await service.fold.run(60_000)).toMatchObject({ folded: 2, left: 0 });
});
