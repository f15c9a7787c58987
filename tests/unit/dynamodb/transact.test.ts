import { describe, expect, test } from 'vitest';
import { transact } from '../../../lib/dynamodb/transact.ts';
import { metered, type Runtime, systemRuntime, withDeadline } from '../../../lib/ground/index.ts';
import { type ScriptedResponse, scriptedStore } from '../../support/scriptedStore.ts';

const committed: ScriptedResponse = { json: { ConsumedCapacity: [{ TableName: 't', CapacityUnits: 4 }] } };

const error = (name: string, more = {}): ScriptedResponse => ({
  status: 400,
  json: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, ...more },
});

const cancelled = (...codes: string[]): ScriptedResponse =>
  error('TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) });

/** DynamoDB has carried it out, or will, or neither. */
const lost: ScriptedResponse = { status: 503, json: {} };
const refused = cancelled('None', 'ConditionalCheckFailed');
const conflict = cancelled('TransactionConflict');
const throttled = error('ThrottlingException');
const mismatch = error('IdempotentParameterMismatchException');
const inProgress = error('TransactionInProgressException');

const items = [
  { Put: { TableName: 't', Item: { id: 1, name: 'x'.repeat(3_000) } } },
  { Delete: { TableName: 't', Key: { id: 2 } } },
];

async function run(responses: ScriptedResponse[], runtime: Partial<Runtime> = {}) {
  const store = await scriptedStore(responses, runtime);
  return {
    ...store,
    result: (given = store.runtime) => transact({ ...store, runtime: given, tables: { directory: 'd' } }, items),
  };
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
  ])('that finds its %s throttled is repeated until the deadline, and counted', async (_, response) => {
    const { result, pauses } = await run([response, response, response, response, committed]);
    const counted = metered(async (meter) => {
      await expect(withDeadline(Number.MAX_SAFE_INTEGER, result)).resolves.toBe(true);
      return meter.throttledCalls;
    });
    expect(await counted).toBe(4);
    expect(pauses).toEqual([50, 100, 200, 400]);
  });

  test('that finds its table throttled ends after three tries without a deadline', async () => {
    const { result, requests } = await run(Array(4).fill(error('ProvisionedThroughputExceededException')));
    const message = expect.stringContaining('not available');
    await expect(result()).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '1' }, message });
    expect(requests).toHaveLength(3);
  });

  test('that gets no answer ends after three attempts in a row', async () => {
    const { result, requests } = await run([lost, lost, cancelled('TransactionConflict'), lost, lost, lost, committed]);
    await expect(result()).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(requests).toHaveLength(6);
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

describe('a transaction that is refused after an attempt without an answer', () => {
  /** `write` or `spend` for each request, by its items. */
  const sent = (requests: Record<string, unknown>[]) => {
    const [first] = requests;
    return requests.map(({ ClientRequestToken, TransactItems }) => {
      expect(ClientRequestToken).toBe(first?.ClientRequestToken);
      return JSON.stringify(TransactItems) === JSON.stringify(first?.TransactItems) ? 'write' : 'spend';
    });
  };

  test.each<[string, ScriptedResponse[], boolean, string]>([
    ['its token is spent', [lost, refused, committed], false, 'write write spend'],
    [
      'its token is spent, also if another one was answered since',
      [lost, conflict, inProgress, refused, committed],
      false,
      'write write write write spend',
    ],
    [
      'its token is spent once all can be',
      [lost, refused, throttled, inProgress, conflict, lost, committed],
      false,
      'write write spend spend spend spend spend',
    ],
    ['the attempt has come first', [lost, refused, mismatch, committed], true, 'write write spend write'],
    [
      'the attempt has come first, which is asked again',
      [lost, refused, mismatch, lost, throttled, inProgress, committed],
      true,
      'write write spend write write write write',
    ],
    [
      'the token was spent by an attempt that got no answer either',
      [lost, refused, lost, mismatch, mismatch],
      false,
      'write write spend spend write',
    ],
    [
      'the attempt was in progress, and is refused, too',
      [lost, refused, mismatch, refused, committed],
      false,
      'write write spend write spend',
    ],
  ])('is refused once and for all, or was done: %s', async (_, responses, isWritten, expected) => {
    const { result, requests } = await run([...responses]);
    expect(await result()).toBe(isWritten);
    expect(sent(requests).join(' ')).toBe(expected);
  });

  test('is a 503 where the token cannot be spent, because a store keeps those of what it has cancelled', async () => {
    const { result, requests } = await run([lost, refused, mismatch, refused, mismatch, refused, committed]);
    await expect(result()).rejects.toMatchObject({ status: 503 });
    expect(sent(requests).join(' ')).toBe('write write spend write spend write');
  });

  test('spends the token on one item in the directory that nobody reads, and that expires', async () => {
    const { result, requests } = await run([lost, refused, committed], { now: () => 1_790_000_000_500 });
    await result();
    const token = requests[0]?.ClientRequestToken;
    expect(requests[2]).toEqual({
      ClientRequestToken: token,
      ReturnConsumedCapacity: 'TOTAL',
      TransactItems: [
        { Put: { TableName: 'd', Item: { pk: { S: `spent:${token}` }, sk: { S: '-' }, ttl: { N: '1790003600' } } } },
      ],
    });
  });

  test.each([
    ['the write', [lost], 1],
    ['the token', [lost, refused, throttled], 3],
  ])('sends nothing four minutes after its first attempt: neither %s', async (_, responses, count) => {
    let now = 0;
    const { result, requests } = await run([...responses, committed], {
      now: () => now,
      sleep: async () => {
        if (requests.length === count) now = 4 * 60_000;
      },
    });
    await expect(result()).rejects.toMatchObject({ status: 503, message: 'The request ran out of time' });
    expect(requests).toHaveLength(count);
  });

  test('is a 503 when the deadline comes before the token is spent', async () => {
    const { result, requests } = await run([lost, refused, throttled, committed], {
      now: () => 0,
      sleep: async () => {},
    });
    const late = { now: () => (requests.length < 3 ? 0 : 1_000) };
    await expect(withDeadline(1_000, () => result({ ...systemRuntime, ...late }))).rejects.toMatchObject({
      status: 503,
    });
    expect(requests).toHaveLength(3);
  });
});
