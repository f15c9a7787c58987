import { expect, test } from 'vitest';
import { callsAtOnce } from '../../../lib/dynamodb/batches.ts';

test.each([
  [0, 1],
  [64, 1],
  [65, 2],
  [10_000, 8],
])('of %i writes, %i run at a time', (calls, atOnce) => {
  expect(callsAtOnce(calls, 8)).toBe(atOnce);
});
