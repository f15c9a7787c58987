import { describe, expect, test } from 'vitest';
import { arrive } from '../../bench/arrivals.ts';
import { readUnitsIn } from '../../bench/pace/beside.ts';
import { createLeapingClock } from '../../bench/pace/clock.ts';
import { nodeWritesOf } from '../../bench/pace/nodeWrites.ts';
import { dollarsAMillion, unitsEach } from '../../bench/pace/price.ts';
import { serverTiming } from '../../lib/http/response/serverTiming.ts';

describe('the price of creates', () => {
  test('is the price of one, however many each run has folded', () => {
    const runs = [
      { write: 100, read: 30, count: 5 },
      { write: 0, read: 2, count: 0 },
      { write: 20, read: 8, count: 15 },
    ];
    expect(unitsEach(runs)).toEqual({ write: 6, read: 2 });
    expect(() => unitsEach([{ write: 0, read: 2, count: 0 }])).toThrow('Nothing was written or folded');
  });

  test('is given in dollars for a million of them', () => {
    expect(dollarsAMillion({ write: 40, read: 8 })).toBe(26);
  });
});

describe('a clock that leaps', () => {
  const HOUR_MS = 3_600_000;

  test('passes an hour at once when everybody sleeps, and wakes sleepers in the order of time', async () => {
    const clock = createLeapingClock();
    const [started, startedAt, real] = [clock.monotonic(), clock.now(), performance.now()];
    const woken: string[] = [];
    await Promise.all([
      clock.sleep(HOUR_MS).then(() => woken.push('an hour')),
      clock.sleep(HOUR_MS / 2).then(() => woken.push('half an hour')),
    ]);
    expect(woken).toEqual(['half an hour', 'an hour']);
    expect(clock.monotonic() - started).toBeGreaterThanOrEqual(HOUR_MS);
    expect(clock.now() - startedAt).toBeGreaterThanOrEqual(HOUR_MS - 1);
    expect(performance.now() - real).toBeLessThan(HOUR_MS / 10);
  });

  test('does not leap while work is under way', async () => {
    const clock = createLeapingClock();
    let isAwake = false;
    const { promise, resolve: end } = Promise.withResolvers<void>();
    const work = clock.during(() => promise);
    const sleeper = clock.sleep(HOUR_MS).then(() => (isAwake = true));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isAwake).toBe(false);
    end();
    await Promise.all([work, sleeper]);
    expect(isAwake).toBe(true);
  });
});

describe('calls that arrive at a rate', () => {
  /** A clock that passes only while somebody sleeps, or when a test moves it. */
  function clockOfSteps() {
    let time = 0;
    return {
      monotonic: () => time,
      sleep: async (milliseconds: number) => {
        time += milliseconds;
      },
      pass: (milliseconds: number) => {
        time += milliseconds;
      },
    };
  }

  test('begin when they are due, without waiting for one another', async () => {
    const clock = clockOfSteps();
    const due: number[] = [];
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const arrivals = arrive(clock, 10, async (at) => {
      if (due.push(at) === 5) answer();
      await answered;
    });
    await answered;
    await arrivals.stop();
    expect(due.slice(0, 5)).toEqual([0, 100, 200, 300, 400]);
    expect(arrivals.done()).toBe(due.length);
  });

  test('that are late because the process was busy begin at once', async () => {
    const clock = clockOfSteps();
    const begun: number[] = [];
    const { promise: enough, resolve: isEnough } = Promise.withResolvers<void>();
    const arrivals = arrive(clock, 10, async (due) => {
      if (begun.push(clock.monotonic() - due) === 1) clock.pass(1_000);
      if (begun.length === 12) isEnough();
    });
    await enough;
    await arrivals.stop();
    expect(begun.slice(0, 12)).toEqual([0, 900, 800, 700, 600, 500, 400, 300, 200, 100, 0, 0]);
  });

  test('that fail are counted apart', async () => {
    const clock = clockOfSteps();
    let calls = 0;
    const { promise: enough, resolve: isEnough } = Promise.withResolvers<void>();
    const arrivals = arrive(clock, 10, async () => {
      if (++calls === 4) isEnough();
      if (calls % 2 === 0) throw new Error('refused');
    });
    await enough;
    await arrivals.stop();
    expect(arrivals.done() + arrivals.failed()).toBe(calls);
    expect(arrivals.failed()).toBe(Math.floor(calls / 2));
  });
});

test('read units are read from the header Server-Timing of a response', () => {
  const meter = { readUnits: 16.5, writeUnits: 0, calls: 2, dynamoMs: 7, plan: 'slice byName', journal: 300 };
  expect(readUnitsIn(serverTiming(meter))).toBe(16.5);
  expect(() => readUnitsIn('journal;desc="3"')).toThrow('No read units');
});

describe('the writes of a fold apart from the journal', () => {
  const NODE = { pk: 'names', sk: 'ab', epoch: 7, data: Buffer.alloc(700) };
  const bytes = 'pk'.length + 5 + 'sk'.length + 2 + 'epoch'.length + 4 + 'data'.length + 700;
  const written = [{ key: 'names\0ab', bytes }];

  test.each<[string, Record<string, unknown>]>([
    ['a put', { TableName: 'directory', Item: NODE }],
    ['a batch of puts', { RequestItems: { directory: [{ PutRequest: { Item: NODE } }] } }],
    ['a transaction', { TransactItems: [{ Put: { TableName: 'directory', Item: NODE } }] }],
  ])('are found in %s', (_, input) => {
    expect(nodeWritesOf(input, 'directory')).toEqual(written);
  });

  test('are found in batches of statements, with the sizes of their parameters', () => {
    const update = 'UPDATE "directory" SET "n" = ? WHERE "pk" = ? AND "sk" = ? AND "n"."r" = ?';
    const Statements = [
      { Statement: update, Parameters: [{ r: 3, d: Buffer.alloc(700) }, 'names', 'ab', 2] },
      { Statement: update, Parameters: [{ r: 1, d: Buffer.alloc(9) }, 'journal', '#head', 2] },
      { Statement: `INSERT INTO "directory" VALUE {'pk': ?, 'sk': ?}`, Parameters: ['names', 'cd'] },
      { Statement: 'DELETE FROM "directory" WHERE "pk" = ? AND "sk" = ?', Parameters: ['names', 'ef'] },
    ];
    expect(nodeWritesOf({ Statements }, 'directory')).toEqual([
      { key: 'names\0ab', bytes: 1 + 4 + 1 + 700 + 5 + 2 + 4 },
      { key: 'names\0cd', bytes: 7 },
    ]);
  });

  test('are found in an update of one item', () => {
    const ExpressionAttributeValues = { ':d': Buffer.alloc(10) };
    const Key = { pk: 'names', sk: 'ab' };
    const input = { TableName: 'directory', Key, UpdateExpression: 'SET d = :d', ExpressionAttributeValues };
    expect(nodeWritesOf(input, 'directory')).toEqual([{ key: 'names\0ab', bytes: 11 + 12 }]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['a node that is read', { TableName: 'directory', Key: { pk: 'names', sk: 'ab' } }],
    ['the head', { TableName: 'directory', Key: { pk: 'journal', sk: '#head' }, UpdateExpression: 'REMOVE #batch' }],
    ['an entry', { TransactItems: [{ Put: { TableName: 'directory', Item: { pk: 'journal', sk: '1' } } }] }],
    ['a user', { TableName: 'users', Item: NODE }],
    ['a deletion', { RequestItems: { directory: [{ DeleteRequest: { Key: { pk: 'names', sk: 'ab' } } }] } }],
  ])('do not include %s', (_, input) => {
    expect(nodeWritesOf(input, 'directory')).toEqual([]);
  });
});
