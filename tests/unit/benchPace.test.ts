import { setTimeout } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { arrive } from '../../bench/arrivals.ts';
import { readUnitsIn } from '../../bench/pace/beside.ts';
import { createLeapingClock } from '../../bench/pace/clock.ts';
import { nodeWritesOf } from '../../bench/pace/nodeWrites.ts';
import { dollarsAMillion, unitsEach } from '../../bench/pace/price.ts';
import { countRounds } from '../../bench/rounds.ts';
import { serverTiming } from '../../lib/http/response/serverTiming.ts';

test('the price of a create is the price of one, however many each run has folded, and dollars are for a million', () => {
  const runs = [
    { write: 100, read: 30, count: 5 },
    { write: 0, read: 2, count: 0 },
    { write: 20, read: 8, count: 15 },
  ];
  expect(unitsEach(runs)).toEqual({ write: 6, read: 2 });
  expect(() => unitsEach([{ write: 0, read: 2, count: 0 }])).toThrow('Nothing was written or folded');
  expect(dollarsAMillion({ write: 40, read: 8 })).toBe(26);
});

test('read units are read from the header Server-Timing of a response', () => {
  const meter = { readUnits: 16.5, writeUnits: 0, calls: 2, dynamoMs: 7, plan: 'slice byName', journal: 300 };
  expect(readUnitsIn(serverTiming(meter))).toBe(16.5);
  expect(() => readUnitsIn('journal;desc="3"')).toThrow('No read units');
});

describe('a clock that leaps', () => {
  const HOUR_MS = 3_600_000;

  test('passes an hour at once when everybody sleeps, and wakes sleepers in the order of time', async () => {
    const clock = createLeapingClock();
    const [started, startedAt] = [clock.monotonic(), clock.now()];
    const woken: string[] = [];
    await Promise.all([
      clock.sleep(HOUR_MS).then(() => woken.push('an hour')),
      clock.sleep(HOUR_MS / 2).then(() => woken.push('half an hour')),
    ]);
    expect(woken).toEqual(['half an hour', 'an hour']);
    expect(clock.monotonic() - started).toBeGreaterThanOrEqual(HOUR_MS);
    expect(clock.now() - startedAt).toBeGreaterThanOrEqual(HOUR_MS - 1);
  });

  test('does not leap while work is under way', async () => {
    const clock = createLeapingClock();
    const done: string[] = [];
    const work = clock.during(() => setTimeout(50).then(() => done.push('work')));
    await Promise.all([work, clock.sleep(HOUR_MS).then(() => done.push('an hour'))]);
    expect(done).toEqual(['work', 'an hour']);
  });
});

describe('calls that arrive at a rate', () => {
  /** A clock that passes while somebody sleeps. */
  function clockOfSteps() {
    let time = 0;
    const sleep = async (milliseconds: number) => {
      time += milliseconds;
    };
    return { monotonic: () => time, sleep };
  }

  test('begin when they are due, without waiting for one another, and are counted apart when they fail', async () => {
    const due: number[] = [];
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const arrivals = arrive(clockOfSteps(), 10, async (at) => {
      const call = due.push(at);
      if (call === 5) answer();
      await answered;
      if (call % 2 === 0) throw new Error('refused');
    });
    await answered;
    await arrivals.stop();
    expect(due.slice(0, 5)).toEqual([0, 100, 200, 300, 400]);
    expect(arrivals.done() + arrivals.failed()).toBe(due.length);
    expect(arrivals.failed()).toBe(Math.floor(due.length / 2));
  });

  test('begin at once when they are late because the process was busy', async () => {
    const clock = clockOfSteps();
    const begun: number[] = [];
    const { promise: enough, resolve: isEnough } = Promise.withResolvers<void>();
    const arrivals = arrive(clock, 10, async (due) => {
      if (begun.push(clock.monotonic() - due) === 1) clock.sleep(1_000);
      if (begun.length === 12) isEnough();
    });
    await enough;
    await arrivals.stop();
    expect(begun.slice(0, 12)).toEqual([0, 900, 800, 700, 600, 500, 400, 300, 200, 100, 0, 0]);
  });
});

describe('the rounds of calls to DynamoDB', () => {
  /** A client whose calls take so many milliseconds each; none below zero succeeds. */
  function setUp() {
    const dynamo = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'local' }));
    const rounds = countRounds(dynamo);
    let takes = 0;
    dynamo.middlewareStack.add(
      () => async () => {
        const milliseconds = takes;
        await setTimeout(Math.max(0, milliseconds));
        if (milliseconds < 0) throw new Error('refused');
        return { response: {}, output: { $metadata: {} } };
      },
      { step: 'initialize', priority: 'low' },
    );
    const call = (milliseconds = 0) => {
      takes = milliseconds;
      return dynamo.send(new ListTablesCommand({}));
    };
    return { rounds, call };
  }

  test.each<[string, number, (call: (milliseconds?: number) => Promise<unknown>) => Promise<unknown>]>([
    ['one after another', 3, async (call) => [await call(), await call(), await call()]],
    ['side by side, whatever each takes', 1, (call) => Promise.all([call(20), call(0), call(5)])],
    ['a call that fails', 2, (call) => call(-1).catch(() => call())],
    ['two rows, one of them late', 2, (call) => Promise.all([call(20).then(() => call()), call().then(() => call())])],
  ])('%s: %i', async (_, expected, ask) => {
    const { rounds, call } = setUp();
    await call();
    rounds.begin();
    await ask(call);
    expect(rounds.end()).toBe(expected);
  });

  test('are not counted afterwards: then no call waits for another', async () => {
    const { rounds, call } = setUp();
    rounds.begin();
    const order: string[] = [];
    const late = call(50).then(() => order.push('late'));
    expect(rounds.end()).toBe(0);
    await call(0).then(() => order.push('fast'));
    await late;
    expect(order).toEqual(['fast', 'late']);
  });
});

describe('the writes of a fold apart from the journal', () => {
  const NODE = { pk: 'names', sk: 'ab', epoch: 7, data: Buffer.alloc(700) };
  const Key = { pk: 'names', sk: 'ab' };
  const bytes = 'pk'.length + 5 + 'sk'.length + 2 + 'epoch'.length + 4 + 'data'.length + 700;
  const written = [{ key: 'names\0ab', bytes }];
  const entry = { TableName: 'directory', Item: { pk: 'journal', sk: '1' } };
  const ExpressionAttributeValues = { ':d': Buffer.alloc(10) };
  const update = { TableName: 'directory', Key, UpdateExpression: 'SET d = :d', ExpressionAttributeValues };

  test.each<[string, Record<string, unknown>, object[]]>([
    ['a put', { TableName: 'directory', Item: NODE }, written],
    ['a batch', { RequestItems: { directory: [{ PutRequest: { Item: NODE } }, { DeleteRequest: { Key } }] } }, written],
    ['a transaction', { TransactItems: [{ Put: { TableName: 'directory', Item: NODE } }, { Put: entry }] }, written],
    ['an update', update, [{ key: 'names\0ab', bytes: 11 + 12 }]],
    ['a read', { TableName: 'directory', Key }, []],
    ['a put of a user', { TableName: 'users', Item: NODE }, []],
  ])('are found in %s', (_, input, expected) => {
    expect(nodeWritesOf(input, 'directory')).toEqual(expected);
  });

  test('are found in batches of statements, with the sizes of their parameters', () => {
    const Statement = 'UPDATE "directory" SET "n" = ? WHERE "pk" = ? AND "sk" = ? AND "n"."r" = ?';
    const Statements = [
      { Statement, Parameters: [{ r: 3, d: Buffer.alloc(700) }, 'names', 'ab', 2] },
      { Statement, Parameters: [{ r: 1, d: Buffer.alloc(9) }, 'journal', '#head', 2] },
      { Statement: `INSERT INTO "directory" VALUE {'pk': ?, 'sk': ?}`, Parameters: ['names', 'cd'] },
      { Statement: 'DELETE FROM "directory" WHERE "pk" = ? AND "sk" = ?', Parameters: ['names', 'ef'] },
    ];
    expect(nodeWritesOf({ Statements }, 'directory')).toEqual([
      { key: 'names\0ab', bytes: 1 + 4 + 1 + 700 + 5 + 2 + 4 },
      { key: 'names\0cd', bytes: 7 },
    ]);
  });
});
