import { zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { deltaKey, readDeltas, writeDelta } from '../../../lib/replica/deltas.ts';
import { entryKey, type JournalEntry } from '../../../lib/replica/entry.ts';
import { makeHead } from '../../../lib/replica/headChanges.ts';
import { readHead } from '../../../lib/replica/journal.ts';
import { logOfEachTest } from '../../support/logs.ts';
import { serviceOn } from '../../support/service.ts';

const log = logOfEachTest();

const entry = (id: number, version: number, after?: string): JournalEntry => ({
  ...{ pk: 'journal', sk: entryKey({ id, version }), id, version, at: 5, after },
});

/** In the order of the journal. */
const BATCH = [entry(1, 2, 'nAnn\0a\u00012\0'), entry(1, 1, 'nAnn\0'), entry(2, 5), entry(3, 1, 'nCem\0')];
const CHANGED = [
  [1, 'nAnn\0a\u00012\0'],
  [2, null],
  [3, 'nCem\0'],
];

function start(deltaCharacters?: number) {
  const service = serviceOn.memory(deltaCharacters === undefined ? {} : { limits: { deltaCharacters } });
  return { ...service, parts: () => service.store.itemsOf('directory').filter(({ pk }) => pk === 'deltas') };
}

describe('a delta', () => {
  test('has the newest version of each user of a batch, whole, or that it is gone, and is the same whoever writes it', async () => {
    const { database, parts } = start();
    await writeDelta(database, 9, BATCH);
    const written = parts();
    expect(written).toEqual([{ pk: 'deltas', sk: '00000000000000090000', of: 1, data: expect.any(Uint8Array) }]);
    await writeDelta(database, 9, BATCH);
    expect(parts()).toEqual(written);
    expect(await readDeltas(database, 8, 9)).toEqual(CHANGED);
  });

  test('of many users comes in parts, and is missing as long as one of them is', async () => {
    const { database, parts, store } = start(8);
    await writeDelta(database, 9, BATCH);
    expect(parts().map(({ sk, of }) => [sk, of])).toEqual([
      ['00000000000000090000', 2],
      ['00000000000000090001', 2],
    ]);
    expect(await readDeltas(database, 8, 9)).toEqual(CHANGED);
    store.tables.directory?.delete({ pk: 'deltas', sk: deltaKey(9, 1) });
    expect(await readDeltas(database, 8, 9)).toBeUndefined();
  });

  test('is read with those after it, in their order, and there is a gap if one is missing', async () => {
    const { database } = start();
    await writeDelta(database, 10, BATCH.slice(2, 3));
    await writeDelta(database, 9, BATCH.slice(1, 2));
    await writeDelta(database, 12, BATCH.slice(3));
    const [older, newer] = [
      [1, 'nAnn\0'],
      [2, null],
    ];
    expect(await readDeltas(database, 8, 10)).toEqual([older, newer]);
    expect(await readDeltas(database, 9, 10)).toEqual([newer]);
    expect(await readDeltas(database, 8, 12)).toBeUndefined();
    expect(await readDeltas(database, 12, 12)).toEqual([]);
  });

  test('that is broken is set aside and logged once, the others count, and all users are to be read anew', async () => {
    const { database, store, runtime } = start();
    await makeHead(database, 1, []);
    await writeDelta(database, 9, BATCH.slice(3));
    for (const [epoch, data] of [[10, Buffer.from('x')], [11], [12, zstdCompressSync('[1]')]] as const)
      store.tables.directory?.put({ pk: 'deltas', sk: deltaKey(epoch, 0), of: 1, ...(data && { data }) });
    for (let time = 0; time < 2; time++) expect(await readDeltas(database, 8, 12)).toEqual(CHANGED.slice(2));
    expect(log.faults.map(({ message }) => message)).toEqual([
      'The delta 00000000000000100000 cannot be applied, and is set aside',
      'The delta 00000000000000110000 cannot be applied, and is set aside',
      'The delta 00000000000000120000 cannot be applied, and is set aside',
    ]);
    expect(await readHead(database)).toMatchObject({ repairAsked: runtime.now() });
  });
});
