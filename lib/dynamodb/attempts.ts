import type { DynamoDBClient, ServiceInputTypes, ServiceOutputTypes } from '@aws-sdk/client-dynamodb';
import type { DeserializeMiddleware, FinalizeRequestMiddleware, HandlerExecutionContext } from '@smithy/types';
import { ensureTime, timeLeft } from '../deadline.ts';
import type { Runtime } from '../runtime.ts';

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
