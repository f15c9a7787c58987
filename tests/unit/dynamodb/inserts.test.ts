import { describe, expect, test } from 'vitest';
import { insertItems } from '../../../lib/dynamodb/inserts.ts';
import { metered } from '../../../lib/ground/index.ts';
import { type ScriptedResponse, scriptedStore } from '../../support/scriptedStore.ts';

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

async function insert(count: number, responses: ScriptedResponse[]) {
  const store = await scriptedStore(responses);
  const items = Array.from({ length: count }, (_, i) => ({ sk: String(i), data: 'secret' }));
  return { ...store, result: () => insertItems(store, 't', items) };
}

/** The sort keys of the items of each request. */
const sent = (requests: Record<string, unknown>[]): string[] =>
  requests.map(({ Statements }) =>
    (Statements as { Parameters: { S: string }[] }[]).map(({ Parameters }) => Parameters[0]?.S).join(' '),
  );

describe('an item', () => {
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
      const { result, requests, pauses } = await insert(4, responses);
      await result();
      expect(sent(requests)).toEqual(['0 1 2 3', '1 3']);
      expect(pauses).toEqual([pause]);
    },
  );

  test('that stays throttled ends after eight tries', async () => {
    const responses = [answers(WRITTEN, 'ThrottlingError'), ...Array(8).fill(answers('ThrottlingError'))];
    const { result, requests } = await insert(2, responses);
    await expect(result()).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(requests).toHaveLength(8);
  });

  test.each(['ValidationError', 'ItemCollectionSizeLimitExceeded', 'AccessDenied', 'ResourceNotFound', 'Other'])(
    'that DynamoDB cannot insert (%s) is a fault, which quotes nothing that was sent',
    async (code) => {
      const { result, requests } = await insert(3, [answers('ThrottlingError', code, WRITTEN)]);
      await expect(result()).rejects.toMatchObject({ status: 500, message: `DynamoDB refused a write: ${code}` });
      expect(requests).toHaveLength(1);
    },
  );
});

describe('a call with several items', () => {
  test.each<[string, ScriptedResponse]>([
    ['without an answer', { json: {} }],
    ['with too few answers', answers(WRITTEN)],
    ['with too many answers', answers(WRITTEN, WRITTEN, WRITTEN)],
  ])('%s is repeated as a whole', async (_, response) => {
    const { result, requests } = await insert(2, [response, answers(WRITTEN, 'DuplicateItem')]);
    await result();
    expect(sent(requests)).toEqual(['0 1', '0 1']);
  });

  test('costs what DynamoDB reports for all tables, or nothing if it reports nothing', async () => {
    const ConsumedCapacity = [
      { TableName: 't', CapacityUnits: 3 },
      { TableName: 'u', CapacityUnits: 4 },
    ];
    const both = { json: { ...answers(WRITTEN, 'ThrottlingError').json, ConsumedCapacity } };
    const nothing = { json: { Responses: [{ Error: { Code: 'ConditionalCheckFailed' } }] } };
    const { result } = await insert(2, [both, nothing]);
    await metered(async (meter) => {
      await result();
      expect(meter).toMatchObject({ writeUnits: 7, readUnits: 0, calls: 2 });
    });
  });
});
