import type { ConsumedCapacity, ServiceInputTypes, ServiceOutputTypes } from '@aws-sdk/client-dynamodb';
import type { InitializeMiddleware } from '@smithy/types';
import { currentMeter } from '../metering.ts';
import type { Runtime } from '../runtime.ts';

const READS = new Set(['GetItemCommand', 'QueryCommand', 'ScanCommand', 'BatchGetItemCommand']);

const isMetered = (input: object): input is { TableName?: string; TransactItems?: unknown; RequestItems?: unknown } =>
  'TableName' in input || 'TransactItems' in input || 'RequestItems' in input;

/** One sum a table, or a list of them. */
function unitsOf(output: object): number {
  const capacity = 'ConsumedCapacity' in output ? output.ConsumedCapacity : undefined;
  const tables = [capacity ?? []].flat() as ConsumedCapacity[];
  return tables.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

/**
 * Asks DynamoDB what every call costs and adds it to the meter of the request that made it. No caller knows of it.
 * Milliseconds include the SDK's own retries.
 */
export const meterCapacity =
  ({ now }: Pick<Runtime, 'now'>): InitializeMiddleware<ServiceInputTypes, ServiceOutputTypes> =>
  (next, context) =>
  async (args) => {
    const meter = currentMeter();
    if (!meter || !isMetered(args.input)) return next(args);
    const start = now();
    try {
      const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
      if (READS.has(context.commandName ?? '')) meter.readUnits += unitsOf(result.output);
      else meter.writeUnits += unitsOf(result.output);
      return result;
    } finally {
      meter.calls++;
      meter.dynamoMs += now() - start;
    }
  };
