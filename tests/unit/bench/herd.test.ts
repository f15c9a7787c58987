import { expect, test } from 'vitest';
import { createClock } from '../../../bench/herd/clock.ts';
import { createPartitions, NEW, type Touch } from '../../../bench/herd/partitions.ts';
import { times } from '../../../bench/sample.ts';

const JOURNAL: Touch = { table: 'directory', key: 'journal', kind: 'write' };

test('a store that throttles serves a thousand writes a second of a partition, and refuses others', () => {
  let now = 0;
  const partitions = createPartitions(NEW, () => now);
  const found = times(4, (second) => {
    now = second * 1_000;
    const units = times(4_000, () => partitions.isOpen(JOURNAL) && partitions.take(JOURNAL, 1));
    return units.filter((taken) => taken !== false).length;
  });
  expect(found).toEqual([1_000, 1_000, 1_000, 1_000]);
});

test('who sleeps by the clock of a simulation wakes in the order of moments, and no time passes outside of it', async () => {
  const clock = createClock(1_000);
  const seen: string[] = [];
  await clock.run(async () => {
    const wake = async (milliseconds: number): Promise<void> => {
      await clock.runtime.sleep(milliseconds);
      await clock.outside(() => new Promise(setImmediate));
      seen.push(`${milliseconds} at ${clock.runtime.now()}`);
    };
    await Promise.all([wake(3_600_000), wake(2), wake(1), wake(2)]);
  });
  expect(seen).toEqual(['1 at 1001', '2 at 1002', '2 at 1002', '3600000 at 3601000']);
});
