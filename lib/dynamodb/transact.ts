import { randomUUID } from 'node:crypto';
import { TransactionCanceledException, TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { sleepWithin } from '../deadline.ts';
import { fault, unavailable } from '../errors.ts';
import type { Runtime } from '../runtime.ts';
import { backoff, THROTTLING_DELAYS } from './backoff.ts';
import { meterCancelled } from './cancelled.ts';

export type TransactionItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** `refused`: a condition did not hold, and nothing was written. */
export type TransactionOutcome = 'committed' | 'refused';

interface Request {
  TransactItems: TransactionItem[];
  ClientRequestToken: string;
}

type Attempt = TransactionOutcome | 'conflict' | 'throttled';

/** Where no deadline ends them: some twenty seconds, far less than the ten minutes for which DynamoDB knows a token. */
const MAX_TRIES = 100;
const MAX_THROTTLED = 3;

/** The reasons for which DynamoDB cancels a transaction. Any other is a fault of this service. */
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

/** Each item has its reason, or none. A condition that failed will fail again, whatever else there was. */
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
    meterCancelled(request.TransactItems);
    return classify(error);
  }
}

/**
 * Writes all items or none. Conflicts with other transactions are waited out until the deadline, throttling for a few
 * tries. All tries are one to DynamoDB, because they carry one token and the same items: should an early one arrive late,
 * a later one is told of its success instead of being refused by what it wrote itself.
 *
 * @throws {ServiceError} 503 when the conflicts do not end in time, or DynamoDB stays throttled or unreachable
 */
export async function transact(
  { dynamo, runtime }: { dynamo: DynamoDBDocumentClient; runtime: Runtime },
  items: TransactionItem[],
): Promise<TransactionOutcome> {
  const request = { TransactItems: items, ClientRequestToken: randomUUID() };
  let throttled = 0;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const outcome = await attempt(dynamo, request);
    if (outcome === 'committed' || outcome === 'refused') return outcome;
    if (outcome === 'throttled' && ++throttled === MAX_THROTTLED) throw unavailable('A transaction was throttled');
    await sleepWithin(runtime, backoff(tries, runtime.random, outcome === 'throttled' ? THROTTLING_DELAYS : undefined));
  }
  throw unavailable(`A transaction met conflicts ${MAX_TRIES} times`);
}
