import { expect, test } from 'vitest';
import { toHex } from '../../../../lib/users/hash.ts';
import { entryKey, JOURNAL } from '../../../../lib/users/journal/entry.ts';
import {
  claim,
  FORMAT,
  type Head,
  isOld,
  newGeneration,
  release,
  storedIndexes,
  toHead,
} from '../../../../lib/users/journal/head.ts';
import { readHead, readItems } from '../../../../lib/users/journal/items.ts';
import { JournalMoved, readJournal, withJournal } from '../../../../lib/users/journal/journal.ts';
import { beginStage } from '../../../../lib/users/journal/newStage.ts';
import { holdFor, named } from '../../../support/fake/steps.ts';
import { serviceOn } from '../../../support/service.ts';

const [ONE = '', TWO = ''] = [1, 2].map((id) => entryKey({ id, version: 1 }));

const batchOf = ({ buckets, total, tag, feed, periods }: Head, batch: string[]) => ({
  ...{ batch, buckets, total, tag, feed, periods },
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
  expect(await claim(database, same, batchOf(same, [TWO]))).toBe(false);
});

test('no batch is claimed while the fold is held, even if the hold came after the head was read', async () => {
  const { users, database, fold, pass } = serviceOn.memory();
  await users.createMany(named('a'));
  await fold();
  const head = await readHead(database);
  await holdFor(database, 60_000);
  expect(await claim(database, head, batchOf(head, [ONE]))).toBe(false);
  pass(60_001);
  expect(await claim(database, head, batchOf(head, [ONE]))).toBe(true);
});

test('a head says in few characters which lists have segments', () => {
  const earlier = toHead({ format: FORMAT, segmented: '#,ca,gone' });
  expect(earlier.indexes).toEqual(['byId', 'byCountryAndAge']);
  expect(toHead({ format: FORMAT, segmented: storedIndexes(earlier.indexes) }).indexes).toEqual(earlier.indexes);
  expect(storedIndexes(earlier.indexes)).toBe('#,ca');
  expect(toHead({ format: FORMAT, segmented: '' }).indexes).toEqual([]);
});

test('a generation is old if it is not the present one, and was begun no later than the present batch', () => {
  const head = { generation: '3-x', epoch: 4 };
  expect(['3-x', '3-y', '4-y', '5-y'].map((own) => isOld(own, head))).toEqual([false, true, true, false]);
  const begun = newGeneration(serviceOn.memory().database, head);
  expect([head, { ...head, epoch: 5 }].map((each) => isOld(begun, each))).toEqual([false, true]);
});

test('a journal has no batch any more as soon as one of its entries has left', async () => {
  const { users, database, store } = serviceOn.memory();
  await beginStage(database);
  await users.createMany(named('a', 'b'));
  const { entries, head } = await readItems(database);
  const batch = entries.map(({ sk }) => sk);
  expect(await claim(database, head, { ...batchOf(head, batch), total: 2, tag: 5 })).toBe(true);
  expect(await readJournal(database)).toMatchObject({ batch: [{}, {}], total: 2, tag: toHex(5) });
  store.tables.directory?.delete({ pk: JOURNAL, sk: batch[0] });
  const { batch: left, latest, total } = await readJournal(database);
  expect([left, latest.size, total]).toEqual([[], 0, 2]);
});

test('a journal that is read in several pages is refused if a fold has begun meanwhile', async () => {
  const { users, database, databaseOf } = serviceOn.memory({ itemsPerPage: 2 });
  await beginStage(database);
  await users.createMany(named('a', 'b', 'c'));
  const head = await readHead(database);
  let pages = 0;
  const reader = databaseOf(async (_, execute) => {
    if (++pages === 2) await claim(database, head, batchOf(head, [ONE]));
    return execute();
  });
  await expect(readJournal(reader)).rejects.toThrow(JournalMoved);
  expect(await readJournal(reader)).toMatchObject({ epoch: head.epoch + 1 });
});

test('a read of the journal and more starts again if a fold begins meanwhile, and fails after five times, or for another reason', async () => {
  const { database } = serviceOn.memory();
  await beginStage(database);
  let reads = 0;
  const moved = (times: number) => async () => {
    if (++reads <= times) throw new JournalMoved();
    return reads;
  };
  expect(await withJournal(database, moved(4))).toBe(5);
  reads = 0;
  await expect(withJournal(database, moved(5))).rejects.toThrow('The journal moved 5 times');
  expect(reads).toBe(5);
  const failing = withJournal(database, async () => {
    reads++;
    throw new Error('no such node');
  });
  await expect(failing).rejects.toThrow('no such node');
  expect(reads).toBe(6);
});

test('a journal refuses a node that is newer', async () => {
  const { users, database, fold } = serviceOn.memory();
  await users.createMany(named('a'));
  await fold();
  const journal = await readJournal(database);
  expect(() => journal.expect(journal.epoch)).not.toThrow();
  expect(() => journal.expect(journal.epoch + 1)).toThrow(JournalMoved);
});
