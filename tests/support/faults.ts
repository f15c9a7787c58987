import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

export type Fault = 'not sent' | 'response lost' | 'conflict' | 'throttled' | 'none';

const networkError = (name: string) => Object.assign(new Error('socket hang up'), { name, code: 'ECONNRESET' });

const conflict = () =>
  new TransactionCanceledException({
    $metadata: {},
    message: 'Transaction cancelled',
    CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
  });

const throttled = () =>
  Object.assign(new Error('Rate exceeded'), { name: 'ThrottlingException', $metadata: { httpStatusCode: 400 } });

/**
 * Makes the next attempts of one command fail like a network or DynamoDB: before the request is sent, or after it was
 * executed.
 */
export function injectFaults(
  dynamo: DynamoDBDocumentClient,
  command: string,
  faults: Fault[],
): { attempts: () => number } {
  let attempts = 0;
  dynamo.middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName !== command) return next(args);
      attempts++;
      const fault = faults.shift() ?? 'none';
      if (fault === 'not sent') throw networkError('TimeoutError');
      if (fault === 'conflict') throw conflict();
      if (fault === 'throttled') throw throttled();
      const response = await next(args);
      if (fault === 'response lost') throw networkError('TimeoutError');
      return response;
    },
    { step: 'finalizeRequest', priority: 'low', name: 'injectFaults', override: true },
  );
  return { attempts: () => attempts };
}
