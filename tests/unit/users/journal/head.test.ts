import { expect, test } from 'vitest';
import { entryKey } from '../../../../lib/users/journal/entry.ts';
import { claim, FORMAT, type Head, release, storedIndexes, toHead } from '../../../../lib/users/journal/head.ts';
import { readHead } from '../../../../lib/users/journal/items.ts';
import { JournalMoved, readJournal } from '../../../../lib/users/journal/journal.ts';
import { named } from '../../../support/fake/steps.ts';
import { serviceOn } from '../../../support/service.ts';

const [ONE = '', TWO = ''] = [1, 2].map((id) => entryKey({ id, version: 1 }));

const batchOf = ({ total, tag, feed, recent, merged, isMerging }: Head, batch: string[]) => ({
  ...{ batch, total, tag, feed, recent, merged, isMerging },
  claimedAt: 0,
});

test('of two folds that have read the same head, only one claims a batch, and only one ends it', async () => {
  const { users, database, fold } = serviceOn.memory();
  await users.createMany(named('a', 'b'));
  await fold();
  const [head, same] = [await readHead(database), await readHead(database)];
  expect(await claim(database, head, batchOf(head, [ONE]))).toBe(true);
  expect(await claim(database, same, batchOf(same, [TWO]))).toBe(false);
  const claimed = await readHead(database);
  expect([claimed.epoch, claimed.batch]).toEqual([head.epoch + 1, [ONE]]);

  expect(await release(database, head.epoch)).toBe(false);
  expect(await release(database, claimed.epoch)).toBe(true);
  expect(await release(database, claimed.epoch)).toBe(false);
});

test('a head says in few characters which lists have segments, and may have said it by the names of indexes', () => {
  const earlier = toHead({ format: FORMAT, segmented: 'byId,byCountryAndAge,byGone' });
  expect(earlier.indexes).toEqual(['byId', 'byCountryAndAge']);
  expect(toHead({ format: FORMAT, segmented: storedIndexes(earlier.indexes) }).indexes).toEqual(earlier.indexes);
  expect(storedIndexes(earlier.indexes)).toBe('#,ca');
  expect(toHead({ format: FORMAT, segmented: '' }).indexes).toEqual([]);
});

test('a journal refuses a node that is newer', async () => {
  const { users, database, fold } = serviceOn.memory();
  await users.createMany(named('a'));
  await fold();
  const journal = await readJournal(database);
  expect(() => journal.expect(journal.epoch)).not.toThrow();
  expect(() => journal.expect(journal.epoch + 1)).toThrow(JournalMoved);
});
