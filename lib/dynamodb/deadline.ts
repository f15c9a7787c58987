import { setTimeout } from 'node:timers/promises';
import type { ServiceInputTypes, ServiceOutputTypes } from '@aws-sdk/client-dynamodb';
import type { FinalizeRequestMiddleware } from '@smithy/types';

/**
 * Ends an attempt that takes longer, also one whose answer stalls half way, which the SDK's own timeouts do not see: they
 * end with the first byte. The SDK takes the error for what it is and tries again.
 */
export const limitAttempts =
  (milliseconds: number): FinalizeRequestMiddleware<ServiceInputTypes, ServiceOutputTypes> =>
  (next) =>
  async (args) => {
    const timer = new AbortController();
    const late = setTimeout(milliseconds, undefined, { signal: timer.signal }).then(() => {
      throw Object.assign(new Error(`No whole answer within ${milliseconds} ms`), { name: 'TimeoutError' });
    });
    try {
      return await Promise.race([next(args), late]);
    } finally {
      late.catch(() => {});
      timer.abort();
    }
  };
