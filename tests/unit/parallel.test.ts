import { expect, test } from 'vitest';
import { callsAtOnce, together } from '../../lib/parallel.ts';

test('questions of one turn of the event loop become one call, and each gets its own answer', async () => {
  const asked: number[][] = [];
  const twice = together(async (items: readonly number[]) => {
    asked.push([...items]);
    return items.map((item) => 2 * item);
  });
  expect(await Promise.all([twice(1), twice(2), twice(3)])).toEqual([2, 4, 6]);
  expect(await twice(4)).toBe(8);
  expect(asked).toEqual([[1, 2, 3], [4]]);
});

test('a call that fails fails for every question of its turn, and for none of the next turn', async () => {
  const ask = together(async ([first]: readonly string[]) => {
    if (first === 'bad') throw new Error('no');
    return ['yes', 'yes'];
  });
  const outcomes = await Promise.allSettled([ask('bad'), ask('good')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await ask('good')).toBe('yes');
});

test.each([
  [0, 1],
  [64, 1],
  [65, 2],
  [10_000, 8],
])('of %i writes, %i run at a time', (calls, atOnce) => {
  expect(callsAtOnce(calls, 8)).toBe(atOnce);
});
