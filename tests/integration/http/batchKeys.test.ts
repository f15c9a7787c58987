import { beforeAll, expect, test } from 'vitest';
import type { BatchResult } from '../../../schemas/batch.ts';
import { handlerCalls } from '../../support/calls.ts';
import type { Call } from '../../support/httpService.ts';
import { logOfEachTest } from '../../support/logs.ts';

logOfEachTest();

let call: Call;

beforeAll(async () => {
  call = await handlerCalls();
});

test('creates with a key are repeatable in other parts and orders; of equal users each is one', async () => {
  const create = async (...names: string[]) => {
    const operations = names.map((name) => ({ op: 'create', user: { name } }));
    const headers = { 'Idempotency-Key': 'k' };
    const { body } = await call('POST', '/api/users/batch', { json: { operations }, headers });
    return (body as { results: BatchResult[] }).results;
  };
  const first = await create('Ann', 'Bob', 'Ann');
  expect(first.map(({ status }) => status)).toEqual([201, 201, 201]);
  const again = await create('Cy', 'Bob', 'Ann', 'Ann', 'Ann');
  expect(again.map(({ status }) => status)).toEqual([201, 200, 200, 200, 201]);
  const ids = (results: BatchResult[]) => new Set(results.map(({ id }) => id));
  expect(ids(again)).toEqual(new Set([...ids(first), again[0]?.id, again[4]?.id]));
});
