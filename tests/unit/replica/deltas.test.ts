import { crc32, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { deleteItems, putItems } from '../../../lib/dynamodb/index.ts';
import { BrokenDelta, deltaKey, readDeltas, writeDelta } from '../../../lib/replica/deltas.ts';
import { entryKey, type JournalEntry } from '../../../lib/replica/entry.ts';
import type { Limits } from '../../../lib/users/database.ts';
import { logOfEachTest } from '../../support/logs.ts';
import { serviceOn } from '../../support/service.ts';

const entry = (id: number, version: number, after?: string): JournalEntry => ({
  ...{ pk: 'journal', sk: entryKey({ id, version }), id, version, at: 5, after },
});

const log = logOfEachTest();

/** In the order of the journal. */
const BATCH = [entry(1, 2, 'nAnn\0a\u00012\0'), entry(1, 1, 'nAnn\0'), entry(2, 5), entry(3, 1, 'nCem\0')];
const CHANGED = [
  [1, 'nAnn\0a\u00012\0'],
  [2, null],
  [3, 'nCem\0'],
];

function start(limits: Partial<Limits> = {}) {
  const service = serviceOn.memory({ limits });
  const { database, store } = service;
  return {
    ...service,
    parts: () => store.itemsOf('directory').filter(({ pk }) => /^deltas/.test(String(pk))),
    put: (item: Record<string, unknown>) => putItems(database, 'directory', [item]),
    remove: (keys: Record<string, unknown>[]) =>
      deleteItems(
        database,
        'directory',
        keys.map(({ pk, sk }) => ({ pk, sk })),
      ),
  };
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
    const { database, parts, remove } = start({ deltaCharacters: 8 });
    await writeDelta(database, 9, BATCH);
    expect(parts().map(({ sk, of }) => [sk, of])).toEqual([
      ['00000000000000090000', 2],
      ['00000000000000090001', 2],
    ]);
    expect(await readDeltas(database, 8, 9)).toEqual(CHANGED);
    await remove(parts().slice(1));
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
    const { database, parts, put } = start();
    await writeDelta(database, 9, BATCH);
    const [item = {}] = parts();
    const data = Buffer.from(item.data as Uint8Array);
    for (let bit = 0; bit < 8 * data.length; bit++) {
      const flipped = Buffer.from(data);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      await put({ ...item, data: flipped });
      await expect(readDeltas(database, 8, 9)).rejects.toThrow('The delta 00000000000000090000');
    }
    for (let bit = 0; bit < 32; bit++) {
      await put({ ...item, checksum: (Number(item.checksum) ^ (1 << bit)) >>> 0 });
      await expect(readDeltas(database, 8, 9)).rejects.toThrow(BrokenDelta);
    }
    await put(item);
    expect(await readDeltas(database, 8, 9)).toEqual(CHANGED);
  });

  test('in the place of another one does not hold', async () => {
    const { database, parts, put } = start();
    await writeDelta(database, 9, BATCH);
    await put({ ...parts()[0], sk: deltaKey(10, 0) });
    await expect(readDeltas(database, 9, 10)).rejects.toThrow('The delta 00000000000000100000');
  });

  test('of a stage with many users has a copy under one of several keys, and readers take these, side by side', async () => {
    const { database, parts, databaseOf } = start({ deltaKeys: 3, manyUsers: 10 });
    const large = { users: 10, epoch: 0 };
    for (const [i, epoch] of [9, 10, 11, 12].entries()) await writeDelta(database, epoch, BATCH.slice(i, i + 1), 10);
    await writeDelta(database, 13, BATCH.slice(3), 9);
    expect(parts().map(({ pk, sk }) => [pk, Number(String(sk).slice(0, 16))])).toEqual([
      ...[9, 10, 11, 12, 13].map((epoch) => ['deltas', epoch]),
      ...[
        ['deltas:0', 9],
        ['deltas:0', 12],
        ['deltas:1', 10],
        ['deltas:2', 11],
      ],
    ]);
    const read: [partition: string, isStrong: boolean][] = [];
    const seen = databaseOf(({ input }, execute) => {
      const { ExpressionAttributeValues, ConsistentRead } = input as {
        ExpressionAttributeValues: Record<string, string>;
        ConsistentRead: boolean;
      };
      read.push([ExpressionAttributeValues[':partition'] ?? '', ConsistentRead]);
      return execute();
    });
    const reads = () => read.splice(0);
    expect(await readDeltas(seen, 9, 10, large)).toEqual([[1, 'nAnn\0']]);
    expect(reads()).toEqual([['deltas:1', false]]);
    expect(await readDeltas(seen, 8, 12, large)).toEqual([
      [1, 'nAnn\0a\u00012\0'],
      [1, 'nAnn\0'],
      [2, null],
      [3, 'nCem\0'],
    ]);
    expect(reads()).toEqual(['deltas:0', 'deltas:1', 'deltas:2'].map((partition) => [partition, false]));
    // The last one was written by a version that makes no copies.
    expect(await readDeltas(seen, 11, 13, large)).toHaveLength(2);
    expect(reads()).toEqual([
      ['deltas:0', false],
      ['deltas:1', false],
      ['deltas', true],
    ]);
    // A base has it, so it may be swept.
    expect(await readDeltas(seen, 11, 13, { users: 10, epoch: 12 })).toBeUndefined();
    expect(reads()).toHaveLength(2);
    expect(await readDeltas(seen, 11, 12)).toEqual([[3, 'nCem\0']]);
    expect(reads()).toEqual([['deltas', false]]);
  });

  test('whose copy does not hold, or is late, is read where all are, and the first is told', async () => {
    const { database, put, parts, remove } = start({ deltaKeys: 3, manyUsers: 10 });
    await writeDelta(database, 7, BATCH, 10);
    const copy = parts().find(({ pk }) => pk === 'deltas:1') ?? {};
    await put({ ...copy, data: Buffer.from('x') });
    expect(await readDeltas(database, 6, 7, { users: 10, epoch: 6 })).toEqual(CHANGED);
    expect(log.faults.map(({ message }) => message)).toEqual([
      'The delta 00000000000000070000 in deltas:1 cannot be applied, and is set aside',
    ]);
    await remove([copy]);
    expect(await readDeltas(database, 6, 7, { users: 10, epoch: 6 })).toEqual(CHANGED);
    expect(await readDeltas(database, 6, 8, { users: 10, epoch: 6 })).toBeUndefined();
  });

  test('that was written a moment ago is read strongly', async () => {
    const { database, setLag } = start();
    setLag(1_000);
    await writeDelta(database, 9, BATCH);
    expect(await readDeltas(database, 8, 9)).toEqual(CHANGED);
  });

  test.each([
    ['no zstd', Buffer.from('x'), true],
    ['nothing', undefined, true],
    ['no users', zstdCompressSync('[1]'), true],
    ['no checksum', zstdCompressSync('[]'), false],
  ])('that has %s is not read', async (_, data, hasChecksum) => {
    const { database, put } = start();
    const item = { sk: deltaKey(9, 0), of: 1, ...(data && { data }) };
    const checksum = crc32(data ?? '', crc32(`${item.sk}/1`));
    await put({ pk: 'deltas', ...item, ...(hasChecksum && { checksum }) });
    await expect(readDeltas(database, 8, 9)).rejects.toThrow('The delta 00000000000000090000');
  });
});
