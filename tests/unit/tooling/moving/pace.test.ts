import { describe, expect, test } from 'vitest';
import { createPace } from '../../../../lib/tooling/moving/pace.ts';

/** A pace whose clock passes in its pauses, and when a test moves it. */
function paceOf(parallel: number) {
  let now = 1_000;
  const slept: number[] = [];
  const runtime = {
    now: () => now,
    monotonic: () => now,
    random: () => 0,
    sleep: async (milliseconds: number) => {
      slept.push(milliseconds);
      now += milliseconds;
    },
  };
  const pace = createPace({ runtime, parallel, patienceMs: 60_000 });
  return { pace, slept, pass: (milliseconds: number) => (now += milliseconds), now: () => now };
}

describe('the pace of an import', () => {
  test('keeps the number of parallel requests within the limit', async () => {
    const { pace } = paceOf(3);
    let [underWay, most] = [0, 0];
    const task = async () => {
      most = Math.max(most, ++underWay);
      await new Promise(setImmediate);
      underWay--;
    };
    await Promise.all(Array.from({ length: 20 }, () => pace.inTurn(task)));
    expect(most).toBe(3);
  });

  test('is halved once for all requests that were under way, and grows again', () => {
    const { pace, now, pass } = paceOf(16);
    const sentAt = now();
    pass(10);
    for (let n = 0; n < 16; n++) pace.slowDown(sentAt, undefined, '503');
    expect(pace.room()).toBe(8);
    pace.slowDown(now(), undefined, '503');
    expect(pace.room()).toBe(4);
    for (let n = 0; n < 500; n++) pace.settled();
    expect(pace.room()).toBe(16);
  });

  test('waits as long as Retry-After says, and without it longer each time', async () => {
    const { pace, slept, now } = paceOf(4);
    pace.slowDown(now(), 3_000, '429');
    await pace.inTurn(async () => undefined);
    for (const _ of [1, 2]) {
      pace.slowDown(now(), undefined, '503');
      await pace.inTurn(async () => undefined);
    }
    expect(slept).toEqual([3_000, 800, 1_600]);
  });

  test('falls above a thousand journal entries, and pauses from five thousand', async () => {
    const { pace } = paceOf(16);
    const rooms = [0, 1_000, 1_001, 2_000, 4_999, 5_000, 80_000].map((entries) => {
      pace.noteJournal(entries);
      return pace.room();
    });
    expect(rooms).toEqual([16, 16, 15, 8, 3, 0, 0]);
    let isDone = false;
    const waiting = pace.inTurn(async () => {
      isDone = true;
    });
    await new Promise(setImmediate);
    expect(isDone).toBe(false);
    pace.noteJournal(4_000);
    await waiting;
    expect(isDone).toBe(true);
  });

  test('gives up after a minute without a settled line, not counting its own pauses', () => {
    const { pace, pass, now } = paceOf(2);
    pass(59_000);
    pace.slowDown(now(), undefined, 'the response was 503');
    pace.noteJournal(9_000);
    pass(59_000);
    pace.slowDown(now(), undefined, 'the response was 503');
    pass(2_000);
    expect(() => pace.slowDown(now(), undefined, 'the response was 503')).toThrow(
      'The service has accepted nothing for 60 seconds: the response was 503',
    );
  });
});
