import { describe, expect, test } from 'vitest';
import { replicaFrom } from '../../../lib/columns/index.ts';
import { entryKey } from '../../../lib/replica/entry.ts';
import { type Head, type StoredBase, toHead } from '../../../lib/replica/head.ts';
import {
  askForMerge,
  askForParts,
  askForRepair,
  claim,
  makeHead,
  putMerged,
  putRead,
  raiseParts,
  release,
} from '../../../lib/replica/headChanges.ts';
import { readHead } from '../../../lib/replica/journal.ts';
import { beginHead } from '../../../lib/replica/rebuild.ts';
import { writeBase } from '../../../lib/replica/storedBase.ts';
import { COLUMNS } from '../../../lib/users/columns.ts';
import { serviceOn } from '../../support/service.ts';

const [ONE = '', TWO = ''] = [1, 2].map((id) => entryKey({ id, version: 1 }));

const baseAt = (epoch: number, name = `${epoch}-x`): StoredBase => ({
  ...{ name, epoch, users: 2, parts: 1, checksum: 3, unpacked: 4, at: 5, kinds: '{}' },
});

/** A stage with a head of epoch 7, which has a base. */
async function start() {
  const { database, store } = serviceOn.memory();
  await makeHead(database, 7, []);
  const headNow = async (): Promise<Head> => {
    const head = await readHead(database);
    if (!head) throw new Error('There is no head');
    return head;
  };
  await putRead(database, await headNow(), baseAt(7));
  return { database, store, head: await headNow(), headNow };
}

const claimed = (head: Head, batch: string[]) => ({
  ...head,
  batch,
  tag: 9,
  claimedAt: 8,
  changed: 3,
  grown: 7,
  shrunk: 2,
});

describe('the head of the journal', () => {
  test('is made once, with what is in the journal as its batch', async () => {
    const { database } = serviceOn.memory({ clock: { random: () => 0.5 } });
    expect(await makeHead(database, 5, [ONE, TWO])).toBe(true);
    expect(await makeHead(database, 6, [])).toBe(false);
    expect(await readHead(database)).toEqual({
      ...{ epoch: 5, batch: [ONE, TWO], tag: 0, claimedAt: 1_790_000_000_000, generation: 'i00000', base: undefined },
      ...{
        parts: 1,
        partsAsked: 0,
        changed: 0,
        grown: 0,
        shrunk: 0,
        repairAsked: 0,
        mergeAsked: 0,
        pressure: undefined,
      },
      ...{ feed: 'i00000', periods: [], lastBatch: 5, batchBefore: 0 },
    });
  });

  test('gives a batch to one of two folds that have read it, and lets one of them end it', async () => {
    const { database, head, headNow } = await start();
    expect(await claim(database, head, claimed(head, [ONE]))).toBe(true);
    expect(await claim(database, head, claimed(head, [TWO]))).toBe(false);
    expect(await headNow()).toMatchObject({
      epoch: 8,
      batch: [ONE],
      tag: 9,
      lastBatch: 8,
      batchBefore: 0,
      changed: 3,
      grown: 7,
      shrunk: 2,
    });
    const periods = [{ epoch: 0, since: 0, days: 30 }];
    expect(await release(database, { epoch: 7, periods })).toBe(false);
    expect(await release(database, { epoch: 8, periods })).toBe(true);
    expect(await release(database, { epoch: 8, periods })).toBe(false);
    expect(await headNow()).toMatchObject({ batch: [], periods });
    expect(await claim(database, head, claimed(head, [TWO]))).toBe(false);
  });

  test('gives no batch to a fold that has read a head before it was lost', async () => {
    const { database, store, head } = await start();
    store.tables.directory?.delete({ pk: 'journal', sk: '#head' });
    await makeHead(database, head.epoch, []);
    expect(await claim(database, head, claimed(head, [ONE]))).toBe(false);
  });

  test('begins with the moment, or above the parts of a base that another clock made', async () => {
    const { database, store } = serviceOn.memory();
    const { epoch } = await beginHead(database);
    expect(epoch).toBe(1_790_000_000_000);
    store.tables.directory?.delete({ pk: 'journal', sk: '#head' });
    await writeBase(database, replicaFrom(COLUMNS, [{ id: 1, name: 'Ann' }]), epoch + 5, 0);
    expect((await beginHead(database)).epoch).toBe(epoch + 6);
  });

  test('takes a merged base only in the place of the one that it was merged from', async () => {
    const { database, head, headNow } = await start();
    expect(await putMerged(database, baseAt(7), baseAt(8))).toBe(true);
    expect(await putMerged(database, baseAt(7), baseAt(9))).toBe(false);
    expect(await headNow()).toMatchObject({ base: baseAt(8), changed: 0, generation: head.generation });
  });

  test('takes users who were read anew of another generation, unless it was made anew or has a later base', async () => {
    const { database, head, headNow } = await start();
    expect(await putRead(database, { generation: 'other' }, baseAt(7, '7-y'))).toBe(false);
    expect(await putRead(database, head, baseAt(6))).toBe(false);
    expect(await putRead(database, head, baseAt(7, '7-y'))).toBe(true);
    const next = await headNow();
    expect([next.base?.name, next.generation === head.generation, next.feed === head.feed]).toEqual([
      '7-y',
      false,
      true,
    ]);
    expect(await putRead(database, head, baseAt(7, '7-z'))).toBe(false);
    expect(await putRead(database, next, baseAt(8), true)).toBe(true);
    expect((await headNow()).feed).not.toBe(head.feed);
  });

  test('keeps what was asked for last when an earlier attempt to ask arrives late', async () => {
    const { database, headNow } = await start();
    const at = (now: number, parts = 1) => ({
      ...database,
      runtime: { ...database.runtime, now: () => now },
      limits: { ...database.limits, journalParts: parts },
    });
    for (const now of [400, 100]) {
      await askForMerge(at(now));
      await askForRepair(at(now));
    }
    expect(await headNow()).toMatchObject({ mergeAsked: 400, repairAsked: 400 });
    expect(await askForParts(at(100, 4))).toBe(true);
    expect(await raiseParts(database, 4)).toBe(true);
    expect(await askForParts(at(100, 4))).toBe(false);
    expect(await headNow()).toMatchObject({ parts: 4, partsAsked: 0 });
  });

  test.each([8, 11])('of another format is refused: %i', (format) => {
    expect(() => toHead({ format })).toThrow(`Tables have format ${format}, not 9 or 10`);
  });
});
