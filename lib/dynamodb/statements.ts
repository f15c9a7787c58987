import { BatchExecuteStatementCommand } from '@aws-sdk/lib-dynamodb';
import { sleepWithin } from '../deadline.ts';
import { fault, unavailable } from '../errors.ts';
import { callsAtOnce, inParallel } from '../parallel.ts';
import { backoff, CONFLICT_DELAYS, type Delays, FAILURE_DELAYS, THROTTLING_DELAYS } from './backoff.ts';
import type { DynamoAccess } from './client.ts';

/** An INSERT or UPDATE of one item in PartiQL, with the values for its question marks. None may be undefined. */
export interface Statement {
  Statement: string;
  Parameters: unknown[];
}

/** Writes an item that must not exist. Attributes that are undefined are left out. */
export function insertOf(table: string, item: object): Statement {
  const values = Object.entries(item).filter(([, value]) => value !== undefined);
  return {
    Statement: `INSERT INTO "${table}" VALUE {${values.map(([name]) => `'${name}': ?`).join(', ')}}`,
    Parameters: values.map(([, value]) => value),
  };
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchExecuteStatement.html */
const BATCH = 25;

const PARALLEL_BATCHES = 4;

/** Up to six seconds, if no deadline ends them earlier. */
const MAX_TRIES = 8;

/** Whether a statement has written, or how long to wait before it is tried again. */
type Meaning = boolean | Delays;

/** The errors of one statement. Any other error is a fault of this service. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  ConditionalCheckFailed: false,
  DuplicateItem: false,
  TransactionConflict: CONFLICT_DELAYS,
  InternalServerError: FAILURE_DELAYS,
  ProvisionedThroughputExceeded: THROTTLING_DELAYS,
  RequestLimitExceeded: THROTTLING_DELAYS,
  ThrottlingError: THROTTLING_DELAYS,
};

/** Names the code only: the message may quote what was sent. */
function meaningOf(error: { Code?: string | undefined } | undefined): Meaning {
  if (!error) return true;
  const meaning = MEANINGS[error.Code ?? ''];
  if (meaning === undefined) throw fault(`DynamoDB refused a statement: ${error.Code}`);
  return meaning;
}

const isAgain = (meaning: Meaning | undefined): meaning is Delays => typeof meaning === 'object';

const longer = (a: Delays, b: Delays): Delays => (b.base > a.base ? b : a);

/** Executes one batch. Statements that fail for a time are tried again without the others. */
async function executeBatch({ dynamo, runtime }: DynamoAccess, statements: readonly Statement[]): Promise<boolean[]> {
  const written = statements.map(() => false);
  let left = [...statements.entries()];
  let delays = CONFLICT_DELAYS;
  for (let tries = 0; left.length > 0; tries++) {
    if (tries === MAX_TRIES) throw unavailable(`Statements were throttled or met conflicts ${MAX_TRIES} times`);
    if (tries > 0) await sleepWithin(runtime, backoff(tries - 1, runtime.random, delays));
    const command = new BatchExecuteStatementCommand({ Statements: left.map(([, statement]) => statement) });
    const { Responses = [] } = await dynamo.send(command);
    const meanings = Responses.map((response) => meaningOf(response.Error));
    for (const [i, [place]] of left.entries()) written[place] = meanings[i] === true;
    left = left.filter((_, i) => isAgain(meanings[i]));
    delays = meanings.filter(isAgain).reduce(longer, CONFLICT_DELAYS);
  }
  return written;
}

/**
 * Executes statements in any order, each by itself. No two may write the same item.
 *
 * @returns for each statement whether it has written. Otherwise its condition did not hold, or its item existed: another
 *   writer was faster, or an earlier attempt has written it whose response was lost. The caller reads the item again
 * @throws {ServiceError} 503 when DynamoDB stays throttled or unreachable, or conflicts do not end. Some statements may have written
 */
export async function executeStatements(access: DynamoAccess, statements: readonly Statement[]): Promise<boolean[]> {
  const starts = [...Array(Math.ceil(statements.length / BATCH)).keys()].map((batch) => batch * BATCH);
  const written = await inParallel(starts, callsAtOnce(starts.length, PARALLEL_BATCHES), (start) =>
    executeBatch(access, statements.slice(start, start + BATCH)),
  );
  return written.flat();
}
