import { expect, test } from 'vitest';
import { ensureBase } from '../../../lib/replica/internals.ts';
import { computing } from '../../../lib/users/computing.ts';
import { serviceOn } from '../../support/service.ts';

/** The number of ticks of a question that computes for `milliseconds` between two, until it ends. */
function ticksOf(milliseconds: number): number {
  let time = 0;
  const { tick } = computing({ now: () => 0, processor: () => time });
  for (let ticks = 1; ; ticks++) {
    time += milliseconds;
    try {
      tick();
    } catch (error) {
      expect(error).toMatchObject({ status: 503, code: 'too-long', headers: { 'retry-after': '1' } });
      return ticks;
    }
  }
}

test('a question ends after two seconds, and what a container makes once counts as a moment', () => {
  expect([ticksOf(5), ticksOf(20), ticksOf(3_000)]).toEqual([401, 101, 101]);
});

test('a question ends that holds more than 256 megabytes of what nobody can tell before', () => {
  const { hold } = computing({ now: () => 0, processor: () => 0 });
  for (let held = 0; held < 256; held++) hold?.(1 << 20);
  expect(() => hold?.(1)).toThrow(expect.objectContaining({ status: 503, code: 'too-long' }));
});

test('a page and counts end if they compute for too long, however busy the machine is, and a stream does not', async () => {
  let [step, time] = [0, 0];
  const processor = () => {
    time += step;
    return time;
  };
  // The clock goes on by a second whenever it is read: other programs have the processor meanwhile.
  let elapsed = 0;
  const { listing, users, database } = serviceOn.memory({ clock: { processor, monotonic: () => (elapsed += 1_000) } });
  const letters = [...'abcdefghij'];
  await users.createMany(Array.from({ length: 20_100 }, (_, i) => ({ name: `${letters.join('')} ${i}` })));
  await ensureBase(database);
  const order = [{ property: 'id', descending: false }];
  // Ten ticks at least for each filter.
  const filters = {
    q: letters.join(' '),
    'name.contains': ['a'],
    'name.endsWith': [...'0123456789'],
    'name.not': ['x'],
  };
  const page = () => listing.page({ filters, order, number: 0, size: 1 });
  const counts = () => listing.counts({ filters, by: ['status'], most: 1 });
  expect(await page()).toMatchObject({ total: 20_100 });
  step = 1_000;
  await expect(page()).rejects.toMatchObject({ code: 'too-long' });
  await expect(counts()).rejects.toMatchObject({ code: 'too-long' });
  expect(await listing.all({ filters, order })).toMatchObject({ total: 20_100 });
});
