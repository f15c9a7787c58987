import { zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BrokenDelta, deltaKey, readDeltas, writeDelta } from '../../../lib/replica/deltas.ts';
import { entryKey, type JournalEntry } from '../../../lib/replica/entry.ts';
import { serviceOn } from '../../support/service.ts';

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
    expect(written).toEqual([
      { pk: 'deltas', sk: '00000000000000090000', of: 1, data: expect.any(Uint8Array), checksum: expect.any(Number) },
    ]);
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

  test('of which any single bit has changed does not hold', async () => {
    const { database, parts, store } = start();
    await writeDelta(database, 9, BATCH);
    const [item = {}] = parts();
    const data = Buffer.from(item.data as Uint8Array);
    for (let bit = 0; bit < 8 * data.length; bit++) {
      const flipped = Buffer.from(data);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      store.tables.directory?.put({ ...item, data: flipped });
      await expect(readDeltas(database, 8, 9)).rejects.toThrow('The delta 00000000000000090000');
    }
    for (let bit = 0; bit < 32; bit++) {
      store.tables.directory?.put({ ...item, checksum: (Number(item.checksum) ^ (1 << bit)) >>> 0 });
      await expect(readDeltas(database, 8, 9)).rejects.toThrow(BrokenDelta);
    }
    store.tables.directory?.put(item);
    expect(await readDeltas(database, 8, 9)).toEqual(CHANGED);
  });

  test('in the place of another one does not hold', async () => {
    const { database, parts, store } = start();
    await writeDelta(database, 9, BATCH);
    store.tables.directory?.put({ ...parts()[0], sk: deltaKey(10, 0) });
    await expect(readDeltas(database, 9, 10)).rejects.toThrow('The delta 00000000000000100000');
  });

  test.each([
    ['no zstd', Buffer.from('x')],
    ['nothing', undefined],
    ['no users', zstdCompressSync('[1]')],
  ])('without a checksum, as versions before 2.7.0 write them, is read, unless it has %s', async (_, data) => {
    const { database, store } = start();
    // As 2.6.0 has packed it.
    const packed = 'KLUv/SApSQEAW1sxLCJuQW5uXHUwMDAwYVx1MDAwMTJcdTAwMDAiXSxbMixudWxsXV0=';
    const earlier = { pk: 'deltas', sk: deltaKey(9, 0), of: 1 };
    store.tables.directory?.put({ ...earlier, data: Buffer.from(packed, 'base64') });
    expect(await readDeltas(database, 8, 9)).toEqual(CHANGED.slice(0, 2));
    store.tables.directory?.put({ ...earlier, ...(data && { data }) });
    await expect(readDeltas(database, 8, 9)).rejects.toThrow('The delta 00000000000000090000');
  });
});
