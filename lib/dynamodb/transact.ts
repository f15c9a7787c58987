import { randomUUID } from 'node:crypto';
import { TransactionCanceledException, TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { sleepWithin } from '../deadline.ts';
import { fault, unavailable } from '../errors.ts';
import { backoff, THROTTLING_DELAYS } from './backoff.ts';
import type { DynamoAccess } from './client.ts';

export type TransactionItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** `refused`: a condition did not hold, and nothing was written. */
export type TransactionOutcome = 'committed' | 'refused';

interface Request {
  TransactItems: TransactionItem[];
  ClientRequestToken: string;
}

type Attempt = TransactionOutcome | 'conflict' | 'throttled';

/** About twenty seconds, if no deadline ends them earlier. DynamoDB remembers a token for ten minutes. */
const MAX_TRANSACTION_TRIES = 100;
const MAX_THROTTLED_TRIES = 3;

/** The reasons for which DynamoDB cancels a transaction. Any other reason is a fault of this service. */
const MEANINGS: Readonly<Record<string, Attempt>> = {
  ConditionalCheckFailed: 'refused',
  ThrottlingError: 'throttled',
  ProvisionedThroughputExceeded: 'throttled',
  TransactionConflict: 'conflict',
};

function meaningOf(code: string): Attempt {
  const meaning = MEANINGS[code];
  if (!meaning) throw fault(`DynamoDB refused the transaction: ${code}`);
  return meaning;
}

/** Each item has a reason or `None`. A failed condition outweighs the others: it would fail again. */
function classify({ CancellationReasons = [] }: TransactionCanceledException): Attempt {
  const codes = CancellationReasons.map(({ Code }) => Code ?? 'None').filter((code) => code !== 'None');
  if (codes.includes('ConditionalCheckFailed')) return 'refused';
  return codes.map(meaningOf).includes('throttled') ? 'throttled' : 'conflict';
}

async function attempt(dynamo: DynamoDBDocumentClient, request: Request): Promise<Attempt> {
  try {
    await dynamo.send(new TransactWriteCommand(request));
    return 'committed';
  } catch (error) {
    if (error instanceof TransactionInProgressException) return 'conflict';
    if (!(error instanceof TransactionCanceledException)) throw error;
    return classify(error);
  }
}

/**
 * Writes all items or none. It tries again after a conflict with another transaction until the deadline, and after throttling
 * a few times. All tries have the same token and items, so DynamoDB writes the items once: if an early try arrives late, a
 * later one also succeeds instead of failing on a condition.
 *
 * @throws {ServiceError} 503 when the conflicts do not end in time, or DynamoDB stays throttled or unreachable
 */
export async function transact(
  { dynamo, runtime }: DynamoAccess,
  items: TransactionItem[],
): Promise<TransactionOutcome> {
  const request = { TransactItems: items, ClientRequestToken: randomUUID() };
  let throttled = 0;
  for (let tries = 0; tries < MAX_TRANSACTION_TRIES; tries++) {
    const outcome = await attempt(dynamo, request);
    if (outcome === 'committed' || outcome === 'refused') return outcome;
    if (outcome === 'throttled' && ++throttled === MAX_THROTTLED_TRIES)
      throw unavailable('A transaction was throttled');
    await sleepWithin(runtime, backoff(tries, runtime.random, outcome === 'throttled' ? THROTTLING_DELAYS : undefined));
  }
  throw unavailable(`A transaction met conflicts ${MAX_TRANSACTION_TRIES} times`);
}
