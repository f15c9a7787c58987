import { randomUUID } from 'node:crypto';
import { TransactionCanceledException, TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { fault, unavailable } from '../errors.ts';
import type { Runtime } from '../runtime.ts';

export type TransactionItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** `refused`: a condition did not hold, and nothing was written. */
export type TransactionOutcome = 'committed' | 'refused';

const MAX_ATTEMPTS = 20;
const BASE_DELAY_MS = 10;
const MAX_DELAY_MS = 400;

/** Full jitter: "Exponential Backoff And Jitter", AWS Architecture Blog. In milliseconds. */
export const backoff = (attempt: number, random: () => number): number =>
  random() * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** attempt);

type Attempt = TransactionOutcome | 'conflict' | 'in progress';

/** A cancelled transaction left nothing behind; its reasons, in the order of its items, tell why. */
function classify(error: unknown): Attempt {
  if (error instanceof TransactionInProgressException) return 'in progress';
  if (!(error instanceof TransactionCanceledException)) throw error;
  const reasons = error.CancellationReasons ?? [];
  const refusal = reasons.find(({ Code }) => Code === 'ValidationError' || Code === 'ItemCollectionSizeLimitExceeded');
  if (refusal) throw fault(`DynamoDB refused the transaction: ${refusal.Code}`);
  return reasons.some(({ Code }) => Code === 'ConditionalCheckFailed') ? 'refused' : 'conflict';
}

/**
 * Writes all items or none. A conflict with another transaction is retried; `build` learns how many there were, so
 * that it can step aside from a contended item. The token makes it harmless to send the same items again after a lost
 * answer, which the SDK does by itself; changed items need a new token.
 *
 * @throws {ServiceError} 503 when the conflicts do not end
 */
export async function transact(
  { dynamo, runtime }: { dynamo: DynamoDBDocumentClient; runtime: Runtime },
  items: TransactionItem[],
): Promise<TransactionOutcome> {
  const request = { TransactItems: items, ClientRequestToken: randomUUID() };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const outcome = await dynamo.send(new TransactWriteCommand(request)).then((): Attempt => 'committed', classify);
    if (outcome === 'committed' || outcome === 'refused') return outcome;
    await runtime.sleep(backoff(attempt, runtime.random));
  }
  throw unavailable(`A transaction met conflicts ${MAX_ATTEMPTS} times`);
}
