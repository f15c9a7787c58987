import { describe, expect, test } from 'vitest';
import { executeStatements, type Statement } from '../../../lib/dynamodb/statements.ts';
import { metered } from '../../../lib/metering.ts';
import type { Runtime } from '../../../lib/runtime.ts';
import { type ScriptedResponse, scriptedStore } from '../../support/scriptedStore.ts';

const UPDATE = 'UPDATE "t" SET "data" = ? WHERE "pk" = ? AND "sk" = ? AND "revision" = ?';

const statement = (sk: string): Statement => ({ Statement: UPDATE, Parameters: ['secret', 'p', sk, 1] });
const statements = (count: number): Statement[] => Array.from({ length: count }, (_, i) => statement(`${i}`));

const WRITTEN = '';

/** A response with an error code for each statement. */
const answers = (...codes: string[]): ScriptedResponse => ({
  json: {
    Responses: codes.map((Code) => ({
      TableName: 't',
      ...(Code !== WRITTEN && { Error: { Code, Message: 'about secret' } }),
    })),
    ConsumedCapacity: [{ TableName: 't', CapacityUnits: codes.filter((code) => code === WRITTEN).length }],
  },
});

async function run(responses: ScriptedResponse[], given: readonly Statement[], runtime: Partial<Runtime> = {}) {
  const store = await scriptedStore(responses, runtime);
  return { ...store, result: () => executeStatements(store, given) };
}

/** The sort keys of the statements of each request. */
const sent = (requests: Record<string, unknown>[]): string[] =>
  requests.map(({ Statements }) =>
    (Statements as { Parameters: { S: string }[] }[]).map(({ Parameters }) => Parameters[2]?.S).join(' '),
  );

describe('a statement', () => {
  test.each([
    ['ThrottlingError', 50],
    ['ProvisionedThroughputExceeded', 50],
    ['RequestLimitExceeded', 50],
    ['TransactionConflict', 5],
    ['InternalServerError', 25],
  ])(
    'that fails for a time (%s) is tried again without those that have written or are refused',
    async (code, pause) => {
      const responses = [answers(WRITTEN, code, 'DuplicateItem', code), answers('ConditionalCheckFailed', WRITTEN)];
      const { result, requests, pauses } = await run(responses, statements(4));
      expect(await result()).toEqual([true, false, false, true]);
      expect(sent(requests)).toEqual(['0 1 2 3', '1 3']);
      expect(pauses).toEqual([pause]);
    },
  );

  test('that stays throttled ends after eight tries', async () => {
    const { result, requests } = await run(
      [answers(WRITTEN, 'ThrottlingError'), ...Array(8).fill(answers('ThrottlingError'))],
      statements(2),
    );
    await expect(result()).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(requests).toHaveLength(8);
  });

  test.each(['ValidationError', 'ItemCollectionSizeLimitExceeded', 'AccessDenied', 'ResourceNotFound', 'Other'])(
    'that DynamoDB cannot execute (%s) is a fault, which quotes nothing that was sent',
    async (code) => {
      const { result, requests } = await run([answers('ThrottlingError', code, WRITTEN)], statements(3));
      await expect(result()).rejects.toMatchObject({ status: 500, message: `DynamoDB refused a write: ${code}` });
      expect(requests).toHaveLength(1);
    },
  );
});

describe('a call with several statements', () => {
  test.each<[string, ScriptedResponse]>([
    ['without an answer', { json: {} }],
    ['with too few answers', answers(WRITTEN)],
    ['with too many answers', answers(WRITTEN, WRITTEN, WRITTEN)],
  ])('%s is repeated as a whole', async (_, response) => {
    const { result, requests } = await run([response, answers(WRITTEN, 'DuplicateItem')], statements(2));
    expect(await result()).toEqual([true, false]);
    expect(sent(requests)).toEqual(['0 1', '0 1']);
  });

  test('costs what DynamoDB reports for all tables, or nothing if it reports nothing', async () => {
    const ConsumedCapacity = [
      { TableName: 't', CapacityUnits: 3 },
      { TableName: 'u', CapacityUnits: 4 },
    ];
    const both = { json: { ...answers(WRITTEN, 'ThrottlingError').json, ConsumedCapacity } };
    const nothing = { json: { Responses: [{ Error: { Code: 'ConditionalCheckFailed' } }] } };
    const { result } = await run([both, nothing], statements(2));
    await metered(async (meter) => {
      expect(await result()).toEqual([true, false]);
      expect(meter).toMatchObject({ writeUnits: 7, readUnits: 0, calls: 2 });
    });
  });
});
