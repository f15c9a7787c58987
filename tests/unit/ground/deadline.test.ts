import { describe, expect, test } from 'vitest';
import { ensureTime, sleepWithin, timeLeft, withDeadline } from '../../../lib/ground/deadline.ts';

const at = (now: number) => ({ now: () => now });

describe('a deadline', () => {
  test('holds only for the calls of its function, and is the earlier of two', async () => {
    const inside = withDeadline(1_000, async () => {
      await Promise.resolve();
      return timeLeft(at(400));
    });
    expect(timeLeft(at(400))).toBe(Number.POSITIVE_INFINITY);
    expect(await inside).toBe(600);
    expect(await withDeadline(1_000, () => withDeadline(2_000, async () => timeLeft(at(0))))).toBe(1_000);
    expect(await withDeadline(2_000, () => withDeadline(1_000, async () => timeLeft(at(0))))).toBe(1_000);
  });

  test('is over for work that a function leaves running, even within another deadline', async () => {
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    let late: Promise<number> = Promise.resolve(0);
    const failing = withDeadline(1_000, async () => {
      late = withDeadline(2_000, async () => {
        await left;
        return timeLeft(at(0));
      });
      throw new RangeError('own');
    });
    await expect(failing).rejects.toThrow('own');
    leave();
    expect(await late).toBe(Number.NEGATIVE_INFINITY);
  });

  test('leaves a tenth of a second for a call, and no pause begins that no call could follow', async () => {
    const pauses: number[] = [];
    const sleep = async (milliseconds: number) => pauses.push(milliseconds);
    await withDeadline(1_000, async () => {
      expect(() => ensureTime(at(900))).not.toThrow();
      expect(() => ensureTime(at(901))).toThrow('The request ran out of time');
      await sleepWithin({ ...at(400), sleep }, 500);
      await expect(sleepWithin({ ...at(400), sleep }, 501)).rejects.toMatchObject({ status: 503 });
    });
    expect(pauses).toEqual([500]);
  });
});
