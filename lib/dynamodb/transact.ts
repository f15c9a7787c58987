/**
 * Transactions whose refusal is final. DynamoDB does not remember a transaction that a condition has cancelled: so an attempt of it that
 * got no answer may still be on its way, and commit once the obstacle is gone. Before `transact` says false, it spends the token: a
 * transaction with the same token and another item. From then on DynamoDB refuses every attempt of the first one, whenever it arrives,
 * because the token stands for other items.
 *
 *   refused, every attempt was answered ─▶ false
 *   refused, one was not ─▶ spend the token ─▶ spent: false
 *                                           └▶ mismatch, an attempt has come first ─▶ send it again ─▶ written: true
 */
import { randomUUID } from 'node:crypto';
import {
  IdempotentParameterMismatchException,
  TransactionCanceledException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { unavailable, withDeadline } from '../ground/index.ts';
import type { DynamoAccess } from './client.ts';
import { againAfter } from './errors.ts';
import { ATTEMPTS_PER_CALL, triesFor } from './middleware.ts';
import { delaysOf, type Outcome, outcomeOf } from './outcomes.ts';
import { Again, CONFLICT_DELAYS, FAILURE_DELAYS, retry } from './retry.ts';

export type TransactionItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

export interface TransactionAccess extends DynamoAccess {
  /** The item of a token that is spent lies in the directory, under `spent:<token>`. */
  tables: { directory: string };
}

/** About twenty seconds, if no deadline ends them earlier. */
const MAX_TRIES = 100;

/**
 * From the first attempt to the last one. AWS refuses an attempt whose signature is older than five minutes, and DynamoDB remembers a
 * token for ten: so none arrives when its token is forgotten, also if the process freezes after it has signed.
 */
const SENDING_MS = 4 * 60_000;

/** Nobody reads the item of a token that is spent. DynamoDB's time to live removes it within days. */
const SPENT_S = 60 * 60;

/** A mismatch twice: DynamoDB has kept the token of what it cancelled, or the first attempt was in progress when the token was to be spent. */
const MOST_SPENDINGS = 2;

/** `mismatch`: the token stands for other items. */
type Answer = 'written' | 'refused' | 'mismatch';

/** Each item has a code. A failed condition outweighs the others: it would fail again. */
function reasonOf({ CancellationReasons = [] }: TransactionCanceledException): Outcome {
  const codes = CancellationReasons.map(({ Code }) => Code);
  return codes.includes('ConditionalCheckFailed') ? 'refused' : delaysOf(codes.map(outcomeOf));
}

/** The answer of DynamoDB; undefined for an error of the call as a whole. @throws {ServiceError} 500 for a reason that is a fault of this service */
function answerOf(error: unknown): Answer | Again | undefined {
  if (error instanceof IdempotentParameterMismatchException) return 'mismatch';
  const isInProgress = error instanceof TransactionInProgressException;
  if (!isInProgress && !(error instanceof TransactionCanceledException)) return undefined;
  const outcome = isInProgress ? CONFLICT_DELAYS : reasonOf(error);
  if (typeof outcome === 'string') return outcome;
  return new Again(unavailable(`A transaction met conflicts or was throttled ${MAX_TRIES} times`), outcome);
}

/** The items that one token stands for. */
const requestOf = (ClientRequestToken: string, TransactItems: TransactionItem[]): TransactWriteCommandInput => ({
  ClientRequestToken,
  TransactItems,
});

const spendingOf = ({ runtime, tables }: TransactionAccess, token: string): TransactWriteCommandInput => {
  const ttl = Math.floor(runtime.now() / 1_000) + SPENT_S;
  return requestOf(token, [{ Put: { TableName: tables.directory, Item: { pk: `spent:${token}`, sk: '-', ttl } } }]);
};

/** One attempt: the answer, or when to try again, and whether DynamoDB has answered at all. @throws the error if no other attempt may succeed */
async function attempt(dynamo: DynamoAccess['dynamo'], request: TransactWriteCommandInput) {
  try {
    await dynamo.send(new TransactWriteCommand(request));
    return { result: 'written' as const, isAnswered: true };
  } catch (error) {
    const answer = answerOf(error);
    return { result: answer ?? againAfter(error), isAnswered: answer !== undefined };
  }
}

/** Sends requests until they are answered. It knows whether an attempt was not. */
function createAsking({ dynamo, runtime }: DynamoAccess) {
  const mostFailures = triesFor(runtime, ATTEMPTS_PER_CALL);
  let isSilent = false;

  /** @throws {ServiceError} 503 when there is no answer in time */
  function ask(request: TransactWriteCommandInput): Promise<Answer> {
    let failures = 0;
    return retry(runtime, MAX_TRIES, async () => {
      const { result, isAnswered } = await attempt(dynamo, request);
      failures = isAnswered ? 0 : failures + 1;
      if (!(result instanceof Again)) return result;
      isSilent ||= result.delays === FAILURE_DELAYS;
      if (failures >= mostFailures(result)) throw result.error;
      return result;
    });
  }

  return { ask, wasSilent: (): boolean => isSilent };
}

/** Writes once, or never. */
async function write(
  access: TransactionAccess,
  items: TransactionItem[],
  { ask, wasSilent }: ReturnType<typeof createAsking>,
): Promise<boolean> {
  const token = randomUUID();
  const request = requestOf(token, items);
  let answer = await ask(request);
  if (answer !== 'refused' || !wasSilent()) return answer === 'written';
  const spending = spendingOf(access, token);
  for (let spendings = 0; spendings < MOST_SPENDINGS; spendings++) {
    if ((await ask(spending)) === 'written') return false;
    answer = await ask(request);
    // A mismatch: an attempt to spend the token has arrived after all.
    if (answer !== 'refused') return answer === 'written';
  }
  throw unavailable('A transaction was refused, and its token could not be spent');
}

/**
 * Writes all items or none. It tries again after a conflict with another transaction, throttling or no answer, until the deadline. All tries have the same token and items, so DynamoDB writes the items once: if an early try arrives late, a
 * later one also succeeds instead of failing on a condition.
 *
 * @returns false when a condition did not hold: nothing was written, and nothing will be, whatever try is still on its way. Two write
 * units, if a try had no answer
 * @throws {ServiceError} 503 when the conflicts do not end in time, or DynamoDB stays throttled or unreachable: it may have been written, or may be still
 */
export function transact(access: TransactionAccess, items: TransactionItem[]): Promise<boolean> {
  const asking = createAsking(access);
  return withDeadline(access.runtime.now() + SENDING_MS, () => write(access, items, asking));
}
