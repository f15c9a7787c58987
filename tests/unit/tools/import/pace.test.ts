import { describe, expect, test } from 'vitest';
import { createPace, type PaceOptions } from '../../../../tools/import/pace.ts';

/** A pace whose clock passes in its pauses, and when a test moves it. */
function paceOf(parallel: number, options: Partial<PaceOptions> = {}) {
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
  const pace = createPace({ runtime, parallel, patienceMs: 60_000, ...options });
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
    expect(slept.reduce((sum, some) => sum + some, 0)).toBe(3_000 + 800 + 1_600);
    expect(Math.max(...slept)).toBe(1_000);
  });

  test('falls above a thousand journal entries, and pauses from five thousand', async () => {
    const { pace } = paceOf(16);
    const rooms = [0, 1_000, 1_001, 2_000, 4_999, 5_000, 80_000].map((entries) => {
      pace.noteJournal(entries);
      return pace.room();
    });
    expect(rooms).toEqual([16, 16, 15, 8, 3, 0, 0]);
    const done: string[] = [];
    const waiting = pace.inTurn(async () => done.push('task'));
    await new Promise(setImmediate);
    done.push('shorter journal');
    pace.noteJournal(4_000);
    await waiting;
    expect(done).toEqual(['shorter journal', 'task']);
  });

  test('gives up after a minute in which every request failed, not counting its own pauses', () => {
    const { pace, pass, now } = paceOf(2);
    const fail = () => pace.slowDown(now(), undefined, 'the response was 503');
    fail();
    pass(59_000);
    fail();
    pace.noteJournal(9_000);
    pass(59_000);
    fail();
    pass(59_000);
    fail();
    pass(2_000);
    expect(fail).toThrow('The service has accepted nothing for 60 seconds: the response was 503');
  });

  test('does not give up at the first failure after hours without a request', () => {
    const { pace, pass, now } = paceOf(2);
    pace.settled();
    pass(9_000_000);
    pace.slowDown(now(), undefined, '503');
    pass(50_000);
    pace.settled();
    pass(50_000);
    pace.slowDown(now(), undefined, '503');
  });

  test('says that it waits for a full journal, and gives up after a minute in which it has not become shorter', async () => {
    const said: string[] = [];
    const { pace, pass } = paceOf(2, { say: (sentence) => said.push(sentence) });
    pace.noteJournal(9_000);
    const waiting = pace.inTurn(async () => 'done').catch((error: Error) => error.message);
    for (const entries of [8_000, 7_000, 9_000]) {
      pass(40_000);
      pace.noteJournal(entries);
    }
    expect(said).toEqual([
      'The service has 9,000 entries in its journal: nothing is sent until it has folded most of them',
    ]);
    pass(40_000);
    pace.noteJournal(7_001);
    const message = 'The service has 7,001 entries in its journal, and has folded none for 60 seconds';
    expect(await waiting).toBe(message);
    await expect(pace.inTurn(async () => 'done')).rejects.toThrow(message);
  });

  test('ends what waits at a signal, and finishes what is under way', async () => {
    const stopped = new AbortController();
    const { pace, now } = paceOf(1, { signal: stopped.signal });
    let end = () => {};
    const underWay = pace.inTurn(() => new Promise<string>((resolve) => (end = () => resolve('done'))));
    await new Promise(setImmediate);
    const waiting = expect(pace.inTurn(async () => 'done')).rejects.toThrow('Stopped before the end');
    stopped.abort();
    await waiting;
    end();
    expect(await underWay).toBe('done');
    expect(() => pace.slowDown(now(), 0, '503')).toThrow('Stopped before the end');
    const late = paceOf(1, { signal: AbortSignal.abort() });
    late.pace.noteJournal(9_000);
    await expect(late.pace.inTurn(async () => 'done')).rejects.toThrow('Stopped before the end');
  });
});
