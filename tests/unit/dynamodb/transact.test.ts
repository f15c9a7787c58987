import { describe, expect, test } from 'vitest';
import { transact } from '../../../lib/dynamodb/transact.ts';
import { type Runtime, withDeadline } from '../../../lib/ground/index.ts';
import { type ScriptedResponse, scriptedStore } from '../../support/scriptedStore.ts';

const committed: ScriptedResponse = { json: { ConsumedCapacity: [{ TableName: 't', CapacityUnits: 4 }] } };

const error = (name: string, more = {}): ScriptedResponse => ({
  status: 400,
  json: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, ...more },
});

const cancelled = (...codes: string[]): ScriptedResponse =>
  error('TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) });

const items = [
  { Put: { TableName: 't', Item: { id: 1, name: 'x'.repeat(3_000) } } },
  { Delete: { TableName: 't', Key: { id: 2 } } },
];

async function run(responses: ScriptedResponse[], runtime: Partial<Runtime> = {}) {
  const store = await scriptedStore(responses, runtime);
  return { ...store, result: (given = store.runtime) => transact({ ...store, runtime: given }, items) };
}

describe('a transaction', () => {
  test.each<[string, ScriptedResponse[]]>([
    ['conflicts', [cancelled('TransactionConflict', 'None'), cancelled('None', 'TransactionConflict')]],
    ['another attempt of it', [error('TransactionInProgressException'), error('TransactionInProgressException')]],
    [
      'failures',
      [
        { ...error('InternalServerError'), status: 500 },
        { status: 503, json: {} },
      ],
    ],
    ['empty responses', [{ json: {} }, cancelled()]],
  ])('is sent again after %s, with the same items and the same token', async (_, responses) => {
    const { result, requests } = await run([...responses, committed]);
    expect(await result()).toBe(true);
    expect(requests).toHaveLength(3);
    expect(requests[1]).toEqual(requests[0]);
    expect(requests[2]).toEqual(requests[0]);
    expect(requests[0]?.ClientRequestToken).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    [['None', 'ConditionalCheckFailed']],
    [['TransactionConflict', 'ConditionalCheckFailed']],
    [['ValidationError', 'ConditionalCheckFailed']],
  ])('is refused when the reasons are %j', async (codes) => {
    const { result, requests } = await run([cancelled(...codes)]);
    expect(await result()).toBe(false);
    expect(requests).toHaveLength(1);
  });

  test.each(['ValidationError', 'ItemCollectionSizeLimitExceeded', 'AccessDenied'])(
    'that DynamoDB refuses (%s) is a fault',
    async (code) => {
      const { result, requests } = await run([cancelled('TransactionConflict', code)]);
      await expect(result()).rejects.toMatchObject({
        status: 500,
        message: `DynamoDB refused a write: ${code}`,
      });
      expect(requests).toHaveLength(1);
    },
  );

  test.each([
    ['items', cancelled('ThrottlingError', 'TransactionConflict')],
    ['table', error('ThrottlingException')],
  ])('that finds its %s throttled is repeated until the deadline', async (_, response) => {
    const { result, pauses } = await run([response, response, response, response, committed]);
    await expect(withDeadline(Number.MAX_SAFE_INTEGER, result)).resolves.toBe(true);
    expect(pauses).toEqual([50, 100, 200, 400]);
  });

  test('that finds its table throttled ends after three tries without a deadline', async () => {
    const { result, requests } = await run(Array(4).fill(error('ProvisionedThroughputExceededException')));
    const message = expect.stringContaining('not available');
    await expect(result()).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '1' }, message });
    expect(requests).toHaveLength(3);
  });

  test('is repeated after conflicts until the deadline', async () => {
    let now = 0;
    const sleep = async (milliseconds: number) => {
      now += milliseconds;
    };
    const { result, requests } = await run(Array(100).fill(cancelled('TransactionConflict')), {
      now: () => now,
      sleep,
    });
    await expect(withDeadline(1_000, () => result())).rejects.toMatchObject({
      status: 503,
      message: 'The request ran out of time',
    });
    // Pauses of 5, 10, 20, 40, 80, 160, 200 and 200 ms. After another one only 85 ms would be left for a call.
    expect(now).toBe(715);
    expect(requests).toHaveLength(9);
  });
});
