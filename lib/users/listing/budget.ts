/**
 * What one request may read of lists and statistics, however often it begins again: `listingBudget` of the stage. The journal does not
 * count, because nobody can ask for less of it. A spending has what DynamoDB was asked for; a view has what its answer took, replayed or not,
 * and what was read for nothing before it.
 */
import { type DynamoDBDocumentClient, QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { ServiceError } from '../../errors.ts';
import type { Database } from '../database.ts';
import type { Cost } from './cost.ts';
import type { View } from './view.ts';

export const ADVICE = 'narrow it by a filter, sort it by one property, or walk it by cursor';

const number = (units: number): string => Math.ceil(units).toLocaleString('en-US');

/** For what costs more than its estimate. */
export const overBudget = (budgetUnits: number) =>
  new ServiceError(
    'budget',
    `This listing would read more than the ${number(budgetUnits)} units that are allowed: ${ADVICE}`,
  );

/** What a request reads. It refuses to read when the budget is spent. */
export function createSpending({ dynamo, sizes: { budgetUnits } }: Database) {
  let units = 0;
  async function query(command: QueryCommand): Promise<QueryCommandOutput> {
    if (units > budgetUnits) throw overBudget(budgetUnits);
    const response = await dynamo.send(command);
    units += response.ConsumedCapacity?.CapacityUnits ?? 0;
    return response;
  }
  const send = (command: unknown, ...options: unknown[]): unknown =>
    command instanceof QueryCommand ? query(command) : Reflect.apply(dynamo.send, dynamo, [command, ...options]);
  return {
    dynamo: Object.assign(Object.create(dynamo) as DynamoDBDocumentClient, { send }),
    /** The read units so far. */
    get units(): number {
      return units;
    },
  };
}

/** The read units that a request has left for lists. */
export const unitsLeft = ({ database, units }: View): number => database.sizes.budgetUnits - units;

/** @throws {ServiceError} 400 when a plan would cost more than what is left */
export function ensureBudget(
  { database: { sizes }, units, calls }: View,
  cost: Pick<Cost, 'units' | 'calls'>,
  advice: string = ADVICE,
): void {
  const most = { units: cost.units + units, calls: cost.calls + calls };
  if (most.units <= sizes.budgetUnits && most.calls <= sizes.budgetCalls) return;
  throw new ServiceError(
    'budget',
    `This listing would read about ${number(most.units)} units, and ${number(sizes.budgetUnits)} are allowed: ${advice}`,
  );
}
