import { describe, expect, test } from 'vitest';
import { openService } from '../../../../tools/import/client.ts';
import { journalLength, watchJournal } from '../../../../tools/import/journalWatch.ts';
import { createPace } from '../../../../tools/import/pace.ts';
import { serveForTest } from '../../../support/moving.ts';

/** A clock that passes in pauses, and when a test moves it. */
function clockOf() {
  let now = 1_000;
  const slept: number[] = [];
  const sleep = async (milliseconds: number) => {
    slept.push(milliseconds);
    now += milliseconds;
  };
  const runtime = { now: () => now, monotonic: () => now, random: () => 0, sleep };
  return { runtime, slept, now: runtime.now, pass: (milliseconds: number) => (now += milliseconds) };
}

describe('the pace of an import', () => {
  test('waits as long as Retry-After says, and without it longer each time, once for all requests under way', async () => {
    const { runtime, slept, now } = clockOf();
    const pace = createPace({ runtime });
    pace.slowDown(now(), 3_000, '429');
    await pace.pause();
    for (const _ of [1, 2]) {
      const sentAt = now();
      for (let n = 0; n < 16; n++) pace.slowDown(sentAt, undefined, '503');
      await pace.pause();
    }
    expect(slept.reduce((sum, some) => sum + some, 0)).toBe(3_000 + 800 + 1_600);
    expect(Math.max(...slept)).toBe(1_000);
  });

  test('gives up after a minute in which every request failed, and not after one that was carried out', () => {
    const { runtime, pass, now } = clockOf();
    const pace = createPace({ runtime, patienceMs: 60_000 });
    const fail = () => pace.slowDown(now(), undefined, 'the response was 503');
    fail();
    pass(59_000);
    fail();
    pace.settled();
    pass(9_000_000);
    fail();
    pass(59_000);
    fail();
    pass(2_000);
    expect(fail).toThrow('The service has accepted nothing for 60 seconds: the response was 503');
  });

  test('ends what waits at a signal', async () => {
    const stopped = new AbortController();
    const { runtime, now } = clockOf();
    const pace = createPace({ runtime, signal: stopped.signal });
    await pace.pause();
    pace.slowDown(now(), 1_000, '503');
    stopped.abort();
    await expect(pace.pause()).rejects.toThrow('Stopped before the end');
    expect(() => pace.slowDown(now(), 0, '503')).toThrow('Stopped before the end');
  });
});

describe('the journal of a service', () => {
  test.each([
    ['plan;desc="seek byId", journal;desc="584", dynamodb;desc="1 RRU";dur=2', 584],
    ['journal;desc="0"', 0],
    ['plan;desc="journal"', undefined],
  ])('has the length that Server-Timing says: %s', (field, expected) => {
    expect(journalLength(new Headers({ 'server-timing': field }))).toBe(expected);
  });

  /** A watch over a journal that has these lengths, then 0. */
  async function watchOf(lengths: number[], last = 0) {
    const asked: unknown[] = [];
    const url = await serveForTest((request, response) => {
      asked.push(request.url, request.headers['if-none-match']);
      response.writeHead(304, { 'server-timing': `journal;desc="${lengths.shift() ?? last}"` }).end();
    });
    const clock = clockOf();
    const said: string[] = [];
    const stopped = new AbortController();
    const { client } = await openService(url);
    const { runtime } = clock;
    const wait = watchJournal(client, { runtime, say: (sentence) => said.push(sentence), signal: stopped.signal });
    return { ...clock, wait, asked, said, stopped };
  }

  test('is asked for every two seconds, once for all lines, at the lowest cost', async () => {
    const { wait, asked, said, pass, slept } = await watchOf([4_999]);
    await wait();
    expect(asked).toEqual([]);
    pass(2_000);
    await Promise.all([wait(), wait()]);
    await wait();
    expect(asked).toEqual(['/api/users?size=1', '*']);
    expect([said, slept]).toEqual([[], []]);
  });

  test('is waited for from five thousand entries until it has a thousand, and the import says so', async () => {
    const { wait, said, pass, slept } = await watchOf([5_000, 4_000, 1_001, 1_000]);
    pass(2_000);
    await wait();
    expect(slept).toEqual([2_000, 2_000, 2_000]);
    expect(said).toEqual([
      'The service has 5,000 entries in its journal: nothing is sent until it has folded most of them',
    ]);
  });

  test('is given up when it has not become shorter for five minutes, and no longer waited for at a signal', async () => {
    const { wait, pass, slept } = await watchOf([9_000, 7_000, 8_000], 7_000);
    pass(2_000);
    const message = 'The service has 7,000 entries in its journal, and has folded none for 300 seconds';
    await expect(wait()).rejects.toThrow(message);
    expect(slept).toHaveLength(152);
    const other = await watchOf([], 9_000);
    other.pass(2_000);
    other.stopped.abort();
    await other.wait();
    expect(other.slept).toEqual([]);
  });
});
