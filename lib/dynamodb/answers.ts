import type { ServiceInputTypes, ServiceOutputTypes } from '@aws-sdk/client-dynamodb';
import type { FinalizeRequestMiddleware } from '@smithy/types';
import { ITEM_COMMANDS } from './commands.ts';

/** Carries nothing of the answer, which may hold users. `$retryable` lets the SDK try again. */
const brokenAnswer = (): Error =>
  Object.assign(new Error('Half an answer, or none'), { name: 'BrokenAnswer', $retryable: {} });

const has = (output: object, member: string): boolean => (output as Record<string, unknown>)[member] !== undefined;

/** A Query or a Scan says how many items it has, and sends them unless it was asked for their number alone. */
const lacksItems = (input: object, output: object): boolean =>
  has(output, 'Count') && !has(output, 'Items') && !('Select' in input && input.Select === 'COUNT');

const isWhole = (command: string, input: object, output: object): boolean =>
  (ITEM_COMMANDS[command]?.members ?? []).every((member) => has(output, member)) && !lacksItems(input, output);

/** DynamoDB's errors have a name and say whose fault they are. What could not be read has an answer, but not these. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof Error && '$response' in error && (!('$fault' in error) || error.name === 'Unknown');

/**
 * A proxy that breaks off, or answers in DynamoDB's place, sends an empty body or half of one. Taken at its word, a user
 * would be gone, or a write done.
 */
export const refuseBrokenAnswers: FinalizeRequestMiddleware<ServiceInputTypes, ServiceOutputTypes> =
  (next, { commandName = '' }) =>
  async (args) => {
    const result = await next(args).catch((error: unknown) => {
      throw isUnreadable(error) ? brokenAnswer() : error;
    });
    if (!isWhole(commandName, args.input, result.output)) throw brokenAnswer();
    return result;
  };
