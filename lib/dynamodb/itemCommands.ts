/** What commands that read or write items have in common: each asks what it costs, and a response without that is not whole. */
import type { ConsumedCapacity, ServiceInputTypes, ServiceOutputTypes } from '@aws-sdk/client-dynamodb';
import type { FinalizeRequestMiddleware, InitializeMiddleware } from '@smithy/types';
import { currentMeter } from '../metering.ts';
import type { Runtime } from '../runtime.ts';

const ITEM_COMMAND = /^(?:Query|Scan|BatchExecuteStatement|\w+Items?)Command$/;
const READ = /^(?:Query|Scan|\w*Get)/;

/** Members that a response has in addition to `ConsumedCapacity`. */
const MEMBERS: Readonly<Record<string, string>> = {
  BatchGetItemCommand: 'Responses',
  TransactGetItemsCommand: 'Responses',
  QueryCommand: 'Count',
  ScanCommand: 'Count',
};

/** Quotes nothing of the response, which may contain users. `$retryable` makes the SDK try again. */
const brokenResponse = (): Error =>
  Object.assign(new Error('The response is empty or incomplete'), { name: 'BrokenResponse', $retryable: {} });

/** A batch that wrote nothing may have no `ConsumedCapacity`. */
const answersAll = (input: object, output: object): boolean =>
  'Responses' in output &&
  Array.isArray(output.Responses) &&
  'Statements' in input &&
  Array.isArray(input.Statements) &&
  output.Responses.length === input.Statements.length;

/** The response of a Query or Scan has `Items` and `Count`, unless the request asked only for the count. */
function isWhole(command: string, input: object, output: object): boolean {
  if (command === 'BatchExecuteStatementCommand') return answersAll(input, output);
  const lacks = (member: string) => (output as Record<string, unknown>)[member] === undefined;
  const member = MEMBERS[command];
  if (lacks('ConsumedCapacity') || (member !== undefined && lacks(member))) return false;
  return member !== 'Count' || !lacks('Items') || ('Select' in input && input.Select === 'COUNT');
}

/** Whether the SDK could not parse the response. Errors of DynamoDB have a name and a `$fault`. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof Error && '$response' in error && (!('$fault' in error) || error.name === 'Unknown');

/**
 * Refuses responses that are empty or incomplete, such as responses of a failing proxy. Without this check a missing item would
 * look like a deleted user, and a failed write like a successful one.
 */
export const refuseBrokenResponses: FinalizeRequestMiddleware<ServiceInputTypes, ServiceOutputTypes> =
  (next, { commandName = '' }) =>
  async (args) => {
    const result = await next(args).catch((error: unknown) => {
      throw isUnreadable(error) ? brokenResponse() : error;
    });
    if (ITEM_COMMAND.test(commandName) && !isWhole(commandName, args.input, result.output)) throw brokenResponse();
    return result;
  };

/** `ConsumedCapacity` is one object, or one per table. */
function unitsOf(output: object): number {
  const capacity = 'ConsumedCapacity' in output ? output.ConsumedCapacity : undefined;
  const tables = [capacity ?? []].flat() as ConsumedCapacity[];
  return tables.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

/** Adds what each call costs to the meter of the current request. Milliseconds include the SDK's own retries. */
export const meterCapacity =
  ({ now }: Pick<Runtime, 'now'>): InitializeMiddleware<ServiceInputTypes, ServiceOutputTypes> =>
  (next, { commandName = '' }) =>
  async (args) => {
    if (!ITEM_COMMAND.test(commandName)) return next(args);
    const meter = currentMeter();
    const start = now();
    try {
      const result = await next({ ...args, input: { ReturnConsumedCapacity: 'TOTAL', ...args.input } });
      if (meter) meter[READ.test(commandName) ? 'readUnits' : 'writeUnits'] += unitsOf(result.output);
      return result;
    } finally {
      if (meter) {
        meter.calls++;
        meter.dynamoMs += now() - start;
      }
    }
  };
