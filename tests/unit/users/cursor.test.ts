import { describe, expect, test } from 'vitest';
import { ensureBase, entryKey } from '../../../lib/replica/internals.ts';
import { walkOf } from '../../../lib/users/cursor.ts';
import { askAfter } from '../../support/questions.ts';
import { serviceOn } from '../../support/service.ts';

/** Six users whose names are letters, all folded. */
async function stage() {
  const service = serviceOn.memory();
  const users = await service.users.createMany(Array.from('abcdef', (name) => ({ name })));
  await service.fold();
  return { ...service, ids: users.map(({ id }) => id) };
}

describe('the users after a cursor', () => {
  test('are refilled in one more read where a stretch is gone, before those behind it whom only the journal has', async () => {
    const { listing, ids, users, setLag } = await stage();
    setLag(60_000);
    await users.create({ name: 'g' });
    for (const id of ids.slice(0, 5)) await users.delete(id);
    expect((await askAfter(listing, {}, 0, 1)).users).toMatchObject([{ name: 'f' }]);
  });

  test('have a young one after the head was lost, while a fold from before deletes entries of the batch that the new head begins with', async () => {
    const { listing, ids, users, database, store, setLag } = await stage();
    const older = await users.create({ name: 'g' });
    setLag(60_000);
    const young = await users.create({ name: 'h' });
    store.lose('directory', ({ sk }) => sk === '#head');
    await ensureBase(database);
    store.lose('directory', ({ sk }) => sk === entryKey(older));
    const { users: found } = await askAfter(listing, {}, 0, 20);
    expect(found.map(({ id }) => id)).toEqual([...ids, older.id, young.id]);
  });

  test('are read again if the index and the journal took more than a second', async () => {
    const service = await stage();
    let slow = 1;
    const reads: (string | undefined)[] = [];
    const { listing } = service.processOf(({ input }, execute) => {
      reads.push((input as { IndexName?: string }).IndexName);
      if (slow-- > 0) service.pass(1_001);
      return execute();
    });
    expect((await askAfter(listing, {}, 0, 20)).users).toHaveLength(6);
    expect(reads).toEqual(['byId', undefined, 'byId', undefined]);
    slow = Number.POSITIVE_INFINITY;
    await expect(askAfter(listing, {}, 0, 20)).rejects.toMatchObject({ status: 503 });
  });
});

test('an index has the users of one value, given alone or as the only one of several', () => {
  const walks = [{}, { status: 'on' }, { status: ['on'] }, { status: ['on', 'off'] }, { 'status.not': ['on'] }].map(
    walkOf,
  );
  expect(walks.map((walk) => walk && [walk.index.partitionKey, walk.value])).toEqual([
    ['entity', 'user'],
    ['status', 'on'],
    ['status', 'on'],
    undefined,
    undefined,
  ]);
});
