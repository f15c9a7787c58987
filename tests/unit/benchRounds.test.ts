import { setTimeout } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { countRounds } from '../../bench/rounds.ts';

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

describe('the rounds of calls to DynamoDB', () => {
  test.each<[string, number, (call: (milliseconds?: number) => Promise<unknown>) => Promise<unknown>]>([
    ['none', 0, async () => {}],
    ['one call', 1, (call) => call()],
    ['one after another', 3, async (call) => [await call(), await call(), await call()]],
    ['side by side, whatever each takes', 1, (call) => Promise.all([call(20), call(0), call(5)])],
    ['a call that fails', 2, (call) => call(-1).catch(() => call())],
    [
      'two rows of calls, of which one is late',
      2,
      (call) => Promise.all([call(20).then(() => call()), call().then(() => call())]),
    ],
    [
      'a short row beside a long one, and what waits for both',
      4,
      async (call) => {
        await Promise.all([
          call(10),
          call()
            .then(() => call())
            .then(() => call()),
        ]);
        await call();
      },
    ],
  ])('%s: %i', async (_, expected, ask) => {
    const { rounds, call } = setUp();
    await call();
    rounds.begin();
    await ask(call);
    expect(rounds.end()).toBe(expected);
  });

  test('are not counted before and afterwards: then no call waits for another', async () => {
    const { rounds, call } = setUp();
    rounds.begin();
    const late = call(50);
    const order: string[] = [];
    late.then(() => order.push('late'));
    expect(rounds.end()).toBe(0);
    await call(0).then(() => order.push('fast'));
    rounds.begin();
    await call();
    expect(rounds.end()).toBe(1);
    await late;
    expect(order).toEqual(['fast', 'late']);
  });
});
