import type { ConsumedCapacity, ServiceInputTypes, ServiceOutputTypes } from '@aws-sdk/client-dynamodb';
import type { InitializeMiddleware } from '@smithy/types';
import { currentMeter } from '../metering.ts';
import type { Runtime } from '../runtime.ts';
import { ITEM_COMMANDS } from './commands.ts';

/** `ConsumedCapacity` is one object, or one per table. */
function unitsOf(output: object): number {
  const capacity = 'ConsumedCapacity' in output ? output.ConsumedCapacity : undefined;
  const tables = [capacity ?? []].flat() as ConsumedCapacity[];
  return tables.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

/**
 * Asks DynamoDB what each call costs and adds it to the meter of the current request. Milliseconds include the SDK's own
 * retries.
 */
export const meterCapacity =
  ({ now }: Pick<Runtime, 'now'>): InitializeMiddleware<ServiceInputTypes, ServiceOutputTypes> =>
  (next, { commandName = '' }) =>
  async (args) => {
    const command = ITEM_COMMANDS[commandName];
    if (!command) return next(args);
    const meter = currentMeter();
    const start = now();
    try {
      const result = await next({ ...args, input: { ReturnConsumedCapacity: 'TOTAL', ...args.input } });
      if (meter) meter[command.units] += unitsOf(result.output);
      return result;
    } finally {
      if (meter) {
        meter.calls++;
        meter.dynamoMs += now() - start;
      }
    }
  };
