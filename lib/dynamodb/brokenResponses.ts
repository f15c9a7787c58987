import type { ServiceInputTypes, ServiceOutputTypes } from '@aws-sdk/client-dynamodb';
import type { FinalizeRequestMiddleware } from '@smithy/types';
import { ITEM_COMMANDS } from './commands.ts';

/** Quotes nothing of the response, which may contain users. `$retryable` makes the SDK try again. */
const brokenResponse = (): Error =>
  Object.assign(new Error('The response is empty or incomplete'), { name: 'BrokenResponse', $retryable: {} });

const has = (output: object, member: string): boolean => (output as Record<string, unknown>)[member] !== undefined;

/** The response of a Query or Scan has `Items` beside `Count`, unless the request asked only for the count. */
const lacksItems = (input: object, output: object): boolean =>
  has(output, 'Count') && !has(output, 'Items') && !('Select' in input && input.Select === 'COUNT');

const isWhole = (command: string, input: object, output: object): boolean =>
  (ITEM_COMMANDS[command]?.members ?? []).every((member) => has(output, member)) && !lacksItems(input, output);

/** Whether the SDK could not parse the response. Errors of DynamoDB have a name and a `$fault`. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof Error && '$response' in error && (!('$fault' in error) || error.name === 'Unknown');

/**
 * Refuses responses that are empty or incomplete, such as those of a failing proxy. Without this check a missing item would
 * look like a deleted user, and a failed write like a successful one.
 */
export const refuseBrokenResponses: FinalizeRequestMiddleware<ServiceInputTypes, ServiceOutputTypes> =
  (next, { commandName = '' }) =>
  async (args) => {
    const result = await next(args).catch((error: unknown) => {
      throw isUnreadable(error) ? brokenResponse() : error;
    });
    if (!isWhole(commandName, args.input, result.output)) throw brokenResponse();
    return result;
  };
