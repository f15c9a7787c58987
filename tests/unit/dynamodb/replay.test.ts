import {
  type DynamoDBDocumentClient,
  type GetCommand,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { createReplay } from '../../../lib/dynamodb/replay.ts';

/** A client that counts its calls, in a store whose queries have `there` items. */
function setUp(there = Number.POSITIVE_INFINITY) {
  const limits: (number | undefined)[] = [];
  const dynamo = {
    async send({ input }: { input: QueryCommandInput }) {
      limits.push(input.Limit);
      const Limit = input.Limit ?? there;
      return { call: limits.length, ...(Limit < there && { LastEvaluatedKey: { id: 1 } }) };
    },
  } as unknown as DynamoDBDocumentClient;
  let replay = createReplay(dynamo);
  const query = async (input: Partial<QueryCommandInput>) =>
    ((await replay.dynamo.send(new QueryCommand({ TableName: 't', ...input }))) as unknown as { call: number }).call;
  return {
    limits,
    query,
    asked: () => replay.asked,
    send: (command: GetCommand) => replay.dynamo.send(command),
    again: () => {
      replay = replay.again();
    },
  };
}

const LIST = { IndexName: 'byName' };

describe('a replay', () => {
  test('asks DynamoDB for each of several equal queries, and gives their responses again in order', async () => {
    const { again, query } = setUp();
    expect([await query({}), await query({})]).toEqual([1, 2]);
    again();
    expect([await query({}), await query({}), await query({})]).toEqual([1, 2, 3]);
  });

  test('tells queries apart by everything but their limit', async () => {
    const { again, query } = setUp();
    await query({ ExpressionAttributeValues: { ':a': 1 } });
    again();
    expect(await query({ ExpressionAttributeValues: { ':a': 2 } })).toBe(2);
    expect(await query({ ExpressionAttributeValues: { ':a': 1 }, ScanIndexForward: false })).toBe(3);
    expect(await query({ ExpressionAttributeValues: { ':a': 1 } })).toBe(1);
  });

  test('reads a few more items of an index than asked, and still more after these were too few', async () => {
    const { again, asked, limits, query } = setUp();
    await query({ ...LIST, Limit: 20 });
    again();
    expect([await query({ ...LIST, Limit: 24 }), asked()]).toEqual([1, 0]);
    again();
    expect([await query({ ...LIST, Limit: 40 }), asked()]).toEqual([2, 1]);
    again();
    expect([await query({ ...LIST, Limit: 58 }), asked()]).toEqual([2, 0]);
    expect(limits).toEqual([24, 58]);
  });

  test('reads no more than asked of a table, or of a long part of an index', async () => {
    const { limits, query } = setUp();
    await query({ Limit: 1 });
    await query({ ...LIST, Limit: 500 });
    expect(limits).toEqual([1, 500]);
  });

  test('answers a query with a higher limit from a response that had everything', async () => {
    const { again, asked, query } = setUp(7);
    await query({ ...LIST, Limit: 20 });
    again();
    expect([await query({ ...LIST, Limit: 1_000 }), asked()]).toEqual([1, 0]);
  });

  test('asks again for what was still under way at the second run', async () => {
    const { again, query } = setUp();
    await query({});
    const late = query({});
    again();
    expect([await query({}), await query({})]).toEqual([1, 3]);
    expect(await late).toBe(2);
  });
});
