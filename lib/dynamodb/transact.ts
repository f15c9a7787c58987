import { randomUUID } from 'node:crypto';
import { TransactionCanceledException, TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unavailable } from '../ground/index.ts';
import type { DynamoAccess } from './client.ts';
import { delaysOf, type Outcome, outcomeOf } from './outcomes.ts';
import { Again, CONFLICT_DELAYS, retry } from './retry.ts';

export type TransactionItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** About twenty seconds, if no deadline ends them earlier. DynamoDB remembers a token for ten minutes. */
const MAX_TRIES = 100;

/** Each item has a code. A failed condition outweighs the others: it would fail again. */
function reasonOf({ CancellationReasons = [] }: TransactionCanceledException): Outcome {
  const codes = CancellationReasons.map(({ Code }) => Code);
  return codes.includes('ConditionalCheckFailed') ? 'refused' : delaysOf(codes.map(outcomeOf));
}

async function attempt(dynamo: DynamoDBDocumentClient, request: TransactWriteCommandInput): Promise<Outcome> {
  try {
    await dynamo.send(new TransactWriteCommand(request));
    return 'written';
  } catch (error) {
    if (error instanceof TransactionInProgressException) return CONFLICT_DELAYS;
    if (!(error instanceof TransactionCanceledException)) throw error;
    return reasonOf(error);
  }
}

/**
 * Writes all items or none. It tries again after a conflict with another transaction, or throttling, until the deadline. All tries have the same token and items, so DynamoDB writes the items once: if an early try arrives late, a
 * later one also succeeds instead of failing on a condition.
 *
 * @returns false when a condition did not hold, and nothing was written
 * @throws {ServiceError} 503 when the conflicts do not end in time, or DynamoDB stays throttled or unreachable
 */
export async function transact({ dynamo, runtime }: DynamoAccess, items: TransactionItem[]): Promise<boolean> {
  const request = { TransactItems: items, ClientRequestToken: randomUUID() };
  return retry(runtime, MAX_TRIES, async () => {
    const outcome = await attempt(dynamo, request);
    if (typeof outcome === 'string') return outcome === 'written';
    return new Again(outcome, unavailable(`A transaction met conflicts or was throttled ${MAX_TRIES} times`));
  });
}
