/** The attempts of one call: how each ends, and when another begins. */

import { Agent as HttpAgent } from 'node:http';
import { Agent } from 'node:https';
import type { DynamoDBClient, ServiceInputTypes, ServiceOutputTypes } from '@aws-sdk/client-dynamodb';
import type {
  DeserializeMiddleware,
  FinalizeRequestMiddleware,
  HandlerExecutionContext,
  RetryErrorInfo,
  RetryStrategyV2,
  RetryToken,
} from '@smithy/types';
import { ensureTime, sleepWithin, timeLeft } from '../deadline.ts';
import type { Runtime } from '../runtime.ts';
import { backoff, CONFLICT_DELAYS, type Delays, FAILURE_DELAYS, THROTTLING_DELAYS } from './backoff.ts';

interface AttemptContext extends HandlerExecutionContext {
  attemptSignal?: AbortSignal;
}

const timeout = (milliseconds: number): Error =>
  Object.assign(new Error(`No complete response within ${milliseconds} ms`), { name: 'TimeoutError' });

/**
 * Ends an attempt that takes too long or reaches the deadline, even in the middle of the response: the SDK's own timeouts
 * cover only the time to the first byte. The SDK treats the error as a timeout and tries again. An attempt that cannot end
 * in time does not begin.
 */
export const limitAttempts =
  (longest: number, runtime: Pick<Runtime, 'now'>): FinalizeRequestMiddleware<ServiceInputTypes, ServiceOutputTypes> =>
  (next, context: AttemptContext) =>
  async (args) => {
    ensureTime(runtime);
    const milliseconds = Math.min(longest, timeLeft(runtime));
    const attempt = new AbortController();
    const timer = setTimeout(() => attempt.abort(), milliseconds);
    context.attemptSignal = attempt.signal;
    try {
      return await next(args);
    } catch (error) {
      throw attempt.signal.aborted ? timeout(milliseconds) : error;
    } finally {
      clearTimeout(timer);
    }
  };

/**
 * The last middleware sends the request itself, because `next` takes no signal. The signal closes the socket, so that nothing
 * more is sent. It cannot be an option of `send`: that would end all attempts of a call, not one.
 */
export const sendAbortably =
  (handler: DynamoDBClient['config']['requestHandler']): DeserializeMiddleware<ServiceInputTypes, ServiceOutputTypes> =>
  (_, context: AttemptContext) =>
  async ({ request }) =>
    handler.handle(request, context.attemptSignal && { abortSignal: context.attemptSignal });

/** The kept connections of a client. As many as the SDK's own agents have. */
export function createAgents() {
  const options = { keepAlive: true, maxSockets: 50 };
  return { httpAgent: new HttpAgent(options), httpsAgent: new Agent(options) };
}

/**
 * While a container is frozen all its connections may be dropped without a word. Then an attempt waits for nothing, and so would
 * the next ones on other kept connections: when one has waited in vain, none that is idle is used again.
 */
export const distrustIdle =
  (agents: ReturnType<typeof createAgents>): FinalizeRequestMiddleware<ServiceInputTypes, ServiceOutputTypes> =>
  (next) =>
  async (args) => {
    try {
      return await next(args);
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError')
        for (const { freeSockets } of Object.values(agents))
          for (const socket of Object.values(freeSockets).flat()) socket?.destroy();
      throw error;
    }
  };

/** Undefined for an error that another attempt would meet, too. */
function delaysAfter({ error, errorType }: RetryErrorInfo): Delays | undefined {
  // A write of one item meets a transaction. The SDK takes that for a mistake of the caller.
  if (error?.name === 'TransactionConflictException') return CONFLICT_DELAYS;
  // An earlier attempt of the same transaction still runs. The SDK takes that for throttling. `transact` waits for it.
  if (error?.name === 'TransactionInProgressException') return undefined;
  if (errorType === 'THROTTLING') return THROTTLING_DELAYS;
  return errorType === 'TRANSIENT' ? FAILURE_DELAYS : undefined;
}

const tokenOf = (retries: number): RetryToken => ({ getRetryCount: () => retries, getRetryDelay: () => 0 });

/**
 * Decides whether and when the SDK tries a call again. The SDK's own strategy would sleep past the deadline. An error thrown
 * here ends the call with the error of its last attempt.
 */
export const retryWithin = (maxAttempts: number, runtime: Runtime): RetryStrategyV2 => ({
  acquireInitialRetryToken: async () => tokenOf(0),
  async refreshRetryTokenForRetry(token, info) {
    const retries = token.getRetryCount();
    const delays = delaysAfter(info);
    if (!delays || retries + 1 >= maxAttempts) throw new Error('No further attempt');
    await sleepWithin(runtime, backoff(retries, runtime.random, delays));
    return tokenOf(retries + 1);
  },
  recordSuccess: () => {},
});
