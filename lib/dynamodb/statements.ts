import { BatchExecuteStatementCommand } from '@aws-sdk/lib-dynamodb';
import { type Batches, inBatches } from './batches.ts';
import type { DynamoAccess } from './client.ts';
import { delaysOf, outcomeOf } from './outcomes.ts';

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

/**
 * Executes statements in any order, each by itself. No two may write the same item.
 *
 * @param batches how many at a time, and whether it may take long
 * @returns for each statement whether it has written. Otherwise its condition did not hold, or its item existed: another
 *   writer was faster, or an earlier attempt has written it whose response was lost. The caller reads the item again
 * @throws {ServiceError} 503 when DynamoDB stays throttled or unreachable, or conflicts do not end. Some statements may have written
 */
export async function executeStatements(
  access: DynamoAccess,
  statements: readonly Statement[],
  batches: Omit<Batches, 'size'> = {},
): Promise<boolean[]> {
  const written = statements.map(() => false);
  await inBatches(access, [...statements.entries()], { ...batches, size: BATCH }, async (some) => {
    const command = new BatchExecuteStatementCommand({ Statements: some.map(([, statement]) => statement) });
    const { Responses = [] } = await access.dynamo.send(command);
    const outcomes = Responses.map(({ Error: error }) => outcomeOf(error && String(error.Code)));
    for (const [i, [place]] of some.entries()) written[place] = outcomes[i] === 'written';
    return { left: some.filter((_, i) => typeof outcomes[i] === 'object'), delays: delaysOf(outcomes) };
  });
  return written;
}
