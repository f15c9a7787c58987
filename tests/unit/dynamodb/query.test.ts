import { expect, test } from 'vitest';
import { query } from '../../../lib/dynamodb/query.ts';
import { scriptedStore } from '../../support/scriptedStore.ts';

const page = (ids: number[], ScannedCount: number) => ({
  json: {
    Items: ids.map((id) => ({ id: { N: String(id) } })),
    Count: ids.length,
    ScannedCount,
    LastEvaluatedKey: { id: { N: String(ids.at(-1)) } },
    ConsumedCapacity: { TableName: 't', CapacityUnits: 1 },
  },
});

test('a query asks for the items that a cut page lacks, and does not count the one that DynamoDB scanned but left out', async () => {
  const store = await scriptedStore([page([1, 2, 3], 4), page([4, 5], 2)]);
  const ids: unknown[] = [];
  for await (const { id } of query(store, { table: 't', partition: ['pk', 'p'] }, { expected: 5 })) {
    ids.push(id);
    if (id === 5) break;
  }
  expect(ids).toEqual([1, 2, 3, 4, 5]);
  expect(store.requests.map(({ Limit, ExclusiveStartKey }) => [Limit, ExclusiveStartKey])).toEqual([
    [5, undefined],
    [2, { id: { N: '3' } }],
  ]);
});
