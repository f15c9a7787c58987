import type { ServiceInputTypes, ServiceOutputTypes } from '@aws-sdk/client-dynamodb';
import type { FinalizeHandlerArguments, FinalizeHandlerOutput } from '@smithy/types';
import { describe, expect, test } from 'vitest';
import { limitAttempts } from '../../../lib/dynamodb/deadline.ts';

type Output = FinalizeHandlerOutput<ServiceOutputTypes>;

const args = {} as FinalizeHandlerArguments<ServiceInputTypes>;
const attempt = (next: () => Promise<Output>) => limitAttempts(30)(next, {})(args);

describe('an attempt', () => {
  test('that takes too long ends with an error that the SDK tries again after', async () => {
    await expect(attempt(() => new Promise(() => {}))).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('that answers, or fails, in time is left alone', async () => {
    const answer = { response: {}, output: { $metadata: {} } } as Output;
    await expect(attempt(async () => answer)).resolves.toBe(answer);
    await expect(attempt(() => Promise.reject(new RangeError('own')))).rejects.toThrow('own');
  });
});
