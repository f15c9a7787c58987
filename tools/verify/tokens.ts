import { randomUUID } from 'node:crypto';
import { IdempotentParameterMismatchException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { deleteItems, type Item, putItems } from '../../lib/dynamodb/index.ts';
import type { Database } from '../../lib/users/database.ts';

const HOUR_S = 60 * 60;

/** The result of a transaction. */
type Outcome = 'written' | 'cancelled' | 'mismatch';

/** The results of a store when the token of a cancelled transaction is used again. */
export interface Tokens {
  /** Of another transaction with the token: `written` if the store has forgotten it. */
  spending: Outcome;
  /** Of the first one, sent again when nothing is in its way any more. */
  late: Outcome;
}

/** Whether tokens are as `transact` needs them: they can be spent, and none is forgotten while an attempt is on its way. */
export const areSpendable = ({ spending, late }: Tokens): boolean => spending === 'written' && late === 'mismatch';

const outcomeOf = (error: unknown): Outcome => {
  if (error instanceof TransactionCanceledException) return 'cancelled';
  if (error instanceof IdempotentParameterMismatchException) return 'mismatch';
  throw error;
};

/**
 * Has a transaction cancelled, spends its token, and sends it again as a late attempt. It writes two items that nobody reads, and
 * deletes them: some ten write units.
 */
export async function tryTokens(database: Database): Promise<Tokens> {
  const { dynamo, tables, runtime } = database;
  const TableName = tables.directory;
  const token = randomUUID();
  const keys = [token, randomUUID()].map((name) => ({ pk: `spent:${name}`, sk: '-' }));
  const [spent, obstacle] = keys.map((key) => ({ ...key, ttl: Math.floor(runtime.now() / 1_000) + HOUR_S }));
  const send = (item: Item | undefined) => {
    const Put = { TableName, Item: item, ConditionExpression: 'attribute_not_exists(pk)' };
    const command = new TransactWriteCommand({ ClientRequestToken: token, TransactItems: [{ Put }] });
    return dynamo.send(command).then((): Outcome => 'written', outcomeOf);
  };
  try {
    await putItems(database, TableName, [{ ...obstacle }]);
    const first = await send(obstacle);
    if (first !== 'cancelled') throw new Error(`A transaction with a condition that does not hold was ${first}`);
    const spending = await send(spent);
    await deleteItems(database, TableName, keys.slice(1));
    return { spending, late: await send(obstacle) };
  } finally {
    await deleteItems(database, TableName, keys);
  }
}
