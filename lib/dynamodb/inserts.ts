import { BatchExecuteStatementCommand } from '@aws-sdk/lib-dynamodb';
import { inBatches } from './batches.ts';
import type { DynamoAccess } from './client.ts';
import type { Item } from './items.ts';
import { delaysOf, outcomeOf } from './outcomes.ts';

/** PartiQL, with the values for its question marks: none may be undefined, so such attributes are left out. */
function insertOf(table: string, item: Item) {
  const values = Object.entries(item).filter(([, value]) => value !== undefined);
  return {
    Statement: `INSERT INTO "${table}" VALUE {${values.map(([name]) => `'${name}': ?`).join(', ')}}`,
    Parameters: values.map(([, value]) => value),
  };
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchExecuteStatement.html */
const BATCH = 25;

/**
 * Writes items in any order, each by itself. Existing ones stay as they are. No key may come twice.
 *
 * @throws {ServiceError} 503 when DynamoDB stays throttled or unreachable, or conflicts do not end. Some items may have been written
 */
export const insertItems = (access: DynamoAccess, table: string, items: readonly Item[]): Promise<void> =>
  inBatches(access, items, { size: BATCH }, async (some) => {
    const command = new BatchExecuteStatementCommand({ Statements: some.map((item) => insertOf(table, item)) });
    const { Responses = [] } = await access.dynamo.send(command);
    const outcomes = Responses.map(({ Error: error }) => outcomeOf(error && String(error.Code)));
    return { left: some.filter((_, i) => typeof outcomes[i] === 'object'), delays: delaysOf(outcomes) };
  });
