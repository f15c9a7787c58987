import { expect, test } from 'vitest';
import { logOfEachTest } from '../../support/logs.ts';
import { askNames } from '../../support/questions.ts';
import { serviceOn } from '../../support/service.ts';

const log = logOfEachTest();

test('an entry whose text is broken stops neither lists nor the fold, and is logged once with its id', async () => {
  const { users, listing, fold, store, runtime, changes } = serviceOn.memory({ historyDays: 7 });
  const { id } = await users.create({ name: 'Ann' });
  await fold();
  await users.update(id, () => ({ name: 'Bea' }));
  const entry = store.itemsOf('directory').find(({ after }) => String(after).startsWith('nBea\0')) ?? {};
  store.tables.directory?.put({ ...entry, after: 'nBea', at: runtime.now() });
  await users.create({ name: 'Cem' });
  for (let time = 0; time < 2; time++) expect(await askNames(listing)).toEqual({ names: ['Ann', 'Cem'], total: 2 });
  expect(await fold()).toMatchObject({ folded: 2, left: 0 });
  // The delta has what the table has.
  expect(await askNames(listing)).toEqual({ names: ['Bea', 'Cem'], total: 2 });
  const history = await changes.history({ id, before: undefined, size: 10 });
  expect(history.changes.map(({ version }) => version)).toEqual([1]);
  expect(log.faults.map(({ message }) => message)).toEqual([
    `The last write of ${id} cannot be applied, and is set aside`,
    `Version 2 of user ${id} cannot be applied, and is set aside`,
  ]);
});
