import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { baseOf } from '../../../../lib/columns/changed/replica.ts';
import { open, pack, type Row, replicaFrom } from '../../../../lib/columns/index.ts';
import { Numbers } from '../../../../lib/columns/stored/numbers.ts';

const KINDS = { name: 'text', changed: 'number' } as const;
const CARRIED = { changed: (id: number) => 1_600_000_000_000 + Math.floor(id / 4_096) };

/** A user every 1.5 seconds. */
const ROWS = 100_000;

/** Rows that have changed within a month of their ids: one in `oneIn`, or none. */
function* rows(oneIn?: number): Generator<Row> {
  for (let i = 1; i <= ROWS; i++) {
    const id = i * 6_400_000;
    const later = oneIn !== undefined && i % oneIn === 0 ? 1 + ((i * 7_919) % 2_592_000_000) : 0;
    yield { id, name: 'Ann', changed: CARRIED.changed(id) + later };
  }
}

const packed = (oneIn?: number) => pack(replicaFrom(KINDS, rows(oneIn)), CARRIED);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/** Freed arrays are counted by another thread, a moment later. */
async function bytesInUse(): Promise<number> {
  for (let time = 0; time < 5; time++) {
    collect();
    await setTimeout(10);
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

describe('a number that ids say', () => {
  const none = packed();

  test('takes no bytes of a stored base, one that is nobody’s neither, and another one at most eleven', () => {
    const nobodys = [...rows()].map(({ changed: _, ...row }) => row as Row);
    const without = pack(replicaFrom({ name: 'text' }, nobodys));
    expect(none.bytes.length - without.bytes.length).toBeLessThan(1_000);
    expect(pack(replicaFrom(KINDS, nobodys), CARRIED).bytes.length - without.bytes.length).toBeLessThan(1_000);
    for (const oneIn of [1, 2, 20]) {
      const more = packed(oneIn).bytes.length - none.bytes.length;
      expect((more * oneIn) / ROWS).toBeLessThan(11);
    }
  });

  /** The bytes that a new base takes once a row of it is shown, and once all of a column is read. */
  async function taken({ bytes, checksum }: ReturnType<typeof packed>): Promise<[shown: number, whole: number]> {
    const base = baseOf(open(KINDS, [Buffer.from(bytes)], checksum, CARRIED));
    const lengths = [base.ids.length];
    const before = await bytesInUse();
    base.rowAt(ROWS - 1);
    const shown = (await bytesInUse()) - before;
    lengths.push(base.column('changed').codes.length);
    const whole = (await bytesInUse()) - before;
    expect(lengths).toEqual([ROWS, ROWS]);
    return [shown, whole];
  }

  test.each([1, 2, 20, undefined])('takes eight bytes a row of memory, if one in %s has another one', async (oneIn) => {
    const all = packed(oneIn);
    // Tests before this one leave timers and compiled code behind, which come to an end meanwhile: the least of some times is the base's own.
    const times = [await taken(all), await taken(all), await taken(all), await taken(all)];
    const shown = Math.min(...times.map(([first]) => first));
    const whole = Math.min(...times.map(([, second]) => second));
    // A hundred kilobytes are the engine's own.
    expect([shown < 8 * ROWS + 100_000, whole < 8 * ROWS + 200_000], `${shown} ${whole}`).toEqual([true, true]);
    expect(whole).toBeGreaterThan(0);
  });

  test('is shown without the numbers of all rows', () => {
    const { bytes, checksum } = packed(2);
    const base = baseOf(open(KINDS, [bytes], checksum, CARRIED));
    const first = [...rows(2)].slice(0, 2);
    expect([0, 1].map((row) => base.rowAt(row))).toEqual(first);
    expect(base.column('changed').size).toBeGreaterThan(ROWS / 2);
    expect([0, 1].map((row) => base.rowAt(row))).toEqual(first);
  });
});

test('numbers are what they were, near each other or far, whole or not', () => {
  const near = Array.from({ length: 3_000 }, (_, i) => i * 4_000_000);
  const far = [-1, 0.5, 1, 2 ** 32, 2 ** 33, 2 ** 53 - 1, 1e300];
  for (const all of [[], near, far, [...far.slice(0, 3), ...near.slice(1)], [...near, 1.5e10 + 0.5, 1e300]]) {
    const numbers = new Numbers(Float64Array.from(all));
    expect([...numbers.all()]).toEqual(all);
    expect(numbers).toHaveLength(all.length);
  }
});
