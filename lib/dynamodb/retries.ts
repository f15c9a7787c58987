import type { RetryErrorInfo, RetryStrategyV2, RetryToken } from '@smithy/types';
import { sleepWithin } from '../deadline.ts';
import type { Runtime } from '../runtime.ts';
import { backoff, type Delays, FAILURE_DELAYS, THROTTLING_DELAYS } from './backoff.ts';

const tokenOf = (retries: number): RetryToken => ({ getRetryCount: () => retries, getRetryDelay: () => 0 });

/** A write of one item conflicts with a transaction. The SDK treats that as a mistake of the caller. */
const isConflict = ({ error }: RetryErrorInfo): boolean => error?.name === 'TransactionConflictException';

/** The SDK treats `TransactionInProgressException` as throttling. It means that an earlier attempt of the same transaction still runs. `transact` waits for it. */
const isRetryable = (info: RetryErrorInfo): boolean =>
  isConflict(info) ||
  ((info.errorType === 'TRANSIENT' || info.errorType === 'THROTTLING') &&
    info.error?.name !== 'TransactionInProgressException');

function delaysFor(info: RetryErrorInfo): Delays | undefined {
  if (isConflict(info)) return undefined;
  return info.errorType === 'THROTTLING' ? THROTTLING_DELAYS : FAILURE_DELAYS;
}

/**
 * Decides whether and when the SDK tries a call again. The SDK's own strategy would sleep past the deadline. An error thrown
 * here ends the call with the error of its last attempt.
 */
export const retryWithin = (maxAttempts: number, runtime: Runtime): RetryStrategyV2 => ({
  acquireInitialRetryToken: async () => tokenOf(0),
  async refreshRetryTokenForRetry(token, info) {
    const retries = token.getRetryCount() + 1;
    if (!isRetryable(info) || retries >= maxAttempts) throw new Error('No further attempt');
    await sleepWithin(runtime, backoff(retries - 1, runtime.random, delaysFor(info)));
    return tokenOf(retries);
  },
  recordSuccess: () => {},
});
