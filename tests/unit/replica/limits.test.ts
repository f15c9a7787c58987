import { describe, expect, test } from 'vitest';
import { readDeltas, writeDelta } from '../../../lib/replica/deltas.ts';
import { entryKey, toEntry } from '../../../lib/replica/entry.ts';
import { makeHead, putRead } from '../../../lib/replica/headChanges.ts';
import { readHead } from '../../../lib/replica/journal.ts';
import { baseBytesFor, sizeOf } from '../../../lib/replica/limits.ts';
import { LIMITS } from '../../../lib/users/database.ts';
import { entryItem } from '../../../lib/users/entry.ts';
import { creationTime } from '../../../lib/users/ids.ts';
import { KINDS, type UserFields } from '../../../lib/users/user.ts';
import { chanceOf } from '../../support/fake/scheduler.ts';
import { serviceOn } from '../../support/service.ts';

/** DynamoDB's limit of an item, which the store of tests has, too, and what head and parts should stay below. */
const MOST_BYTES = 400 * 1_024;

const bytesOf = (item: Record<string, unknown>): number =>
  Object.entries(item).reduce(
    (sum, [name, value]) =>
      sum + name.length + (value instanceof Uint8Array ? value.length : Buffer.byteLength(JSON.stringify(value))),
    0,
  );

/** Letters that no compression makes shorter than two bytes each: from all of Unicode's lower plane. */
function incompressible(seed: number): (length: number) => string {
  const chance = chanceOf(seed);
  const letter = () => String.fromCodePoint(0x0800 + Math.floor(chance() * 0xd000));
  return (length) => Array.from({ length }, letter).join('');
}

describe('the worst case of a limit', () => {
  test('a batch of the largest users that cannot be compressed is a delta of items that DynamoDB takes', async () => {
    const { database, store } = serviceOn.memory();
    const text = incompressible(1);
    const largest = (): UserFields => ({
      ...{ name: text(200), firstName: text(200), lastName: text(200), age: Number.MAX_SAFE_INTEGER },
      ...{ email: `${text(60)}@${'x'.repeat(63)}.de`, status: text(64), country: text(64) },
      attributes: { a: text(450), b: text(450), c: text(450) },
    });
    const batch = Array.from({ length: LIMITS.batchEntries }, (_, i) => {
      const after = { id: i + 1, version: 1, ...largest() };
      return toEntry(entryItem({ id: after.id, version: 1, before: undefined, after }, 0), creationTime);
    });
    await writeDelta(database, 9, batch);
    const sizes = store.itemsOf('directory').map(bytesOf);
    expect(sizes.length).toBeGreaterThan(5);
    expect(Math.max(...sizes)).toBeLessThan(MOST_BYTES);
    expect(await readDeltas(database, 8, 9)).toHaveLength(LIMITS.batchEntries);
  });

  test('a head with as many entries as it may begin with is an item that DynamoDB takes', async () => {
    const { database, store } = serviceOn.memory();
    const step = Math.floor(Number.MAX_SAFE_INTEGER / LIMITS.headEntries);
    const keys = Array.from({ length: LIMITS.headEntries }, (_, i) =>
      entryKey({ id: i * step, version: 999_999_999_998 }),
    );
    await makeHead(database, 1_790_000_000_000, keys);
    const [head = {}] = store.itemsOf('directory');
    expect(bytesOf(head)).toBeGreaterThan(200_000);
    expect(bytesOf(head)).toBeLessThan(MOST_BYTES);
  });

  test('a head of a million users without a batch is half a read unit', async () => {
    const { database, store } = serviceOn.memory();
    await makeHead(database, 1_790_000_000_000, []);
    const head = await readHead(database);
    const base = {
      ...{ name: '0001790000000000-zzzzzz', epoch: 1_790_000_000_000, users: 1_000_000, parts: 80 },
      ...{ checksum: 4_294_967_295, unpacked: 90_000_000, at: 1_790_000_000_000 },
      kinds: JSON.stringify(KINDS),
    };
    await putRead(database, head ?? { generation: '' }, base);
    expect(bytesOf(store.itemsOf('directory')[0] ?? {})).toBeLessThan(2_048);
  });
});

test('parts of a base leave room for their keys', () => {
  expect(LIMITS.partBytes + 200).toBeLessThan(MOST_BYTES);
});

test('a function of 1,769 MB takes a base of some 174 MB, one of 3,008 MB of 312, and none takes more than 900', () => {
  expect([1_769, 3_008, 10_240].map(baseBytesFor)).toEqual([174_333_333, 312_000_000, 900_000_000]);
});

test('a base counts with what questions may keep of attributes: 64 bytes a user, of which 9 are one', () => {
  expect(sizeOf({ unpacked: 65_000_000, users: 1_000_000 })).toBe(72_111_112);
});
