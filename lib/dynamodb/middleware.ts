/** Middlewares around each call, and around each of its attempts. */
import type { ConsumedCapacity, DynamoDBClient, ServiceInputTypes, ServiceOutputTypes } from '@aws-sdk/client-dynamodb';
import type {
  DeserializeMiddleware,
  FinalizeRequestMiddleware,
  HandlerExecutionContext,
  HttpResponse,
  InitializeMiddleware,
} from '@smithy/types';
import { currentMeter, ensureTime, type Runtime, timeLeft } from '../ground/index.ts';
import { againAfter } from './errors.ts';
import { type Again, retry, THROTTLING_DELAYS } from './retry.ts';

const ITEM_COMMAND = /^(?:Query|Scan|BatchExecuteStatement|\w+Items?)Command$/;
const READ = /^(?:Query|Scan|\w*Get)/;
const TRANSACTION = 'TransactWriteItemsCommand';

/** The members that the response of a command must have. */
function membersOf(command: string, input: object): string[] {
  if (/^(Query|Scan)/.test(command)) return ['Select' in input ? 'Count' : 'Items'];
  return command === 'BatchGetItemCommand' ? ['Responses'] : [];
}

/** The media type of the answers of a store: https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html */
const STORE_TYPE = /^application\/x-amz-json-/i;

/**
 * DynamoDB always tells the price, which makes its response more than `{}`. Another store may leave it out: then `{}` says that there is no
 * such item, or that all was written, if a store says it, and not a proxy in its place.
 */
function isWhole(
  command: string,
  input: ServiceInputTypes,
  output: object,
  { headers }: Partial<HttpResponse>,
): boolean {
  const { $metadata: _, ...members } = output as Partial<Record<string, { length?: number }>>;
  if ('Statements' in input) return input.Statements?.length === members.Responses?.length;
  if (!membersOf(command, input).every((member) => members[member] !== undefined)) return false;
  const isEmpty = ITEM_COMMAND.test(command) && Object.values(members).every((member) => member === undefined);
  return !isEmpty || STORE_TYPE.test(headers?.['content-type'] ?? '');
}

/** Quotes nothing of the response, which may contain users. */
const brokenResponse = (): Error =>
  Object.assign(new Error('The response is empty or incomplete'), { name: 'BrokenResponse' });

/** Whether the SDK could not parse the response. Errors of DynamoDB have a name and a `$fault`. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof Error && '$response' in error && (!('$fault' in error) || error.name === 'Unknown');

const timeout = (milliseconds: number): Error =>
  Object.assign(new Error(`No complete response within ${milliseconds} ms`), { name: 'TimeoutError' });

interface AttemptContext extends HandlerExecutionContext {
  attemptSignal?: AbortSignal;
}

const failureOf = (error: unknown): unknown => (isUnreadable(error) ? brokenResponse() : error);

/**
 * Ends an attempt that takes too long or reaches the deadline, even in the middle of the response: the SDK's own timeouts
 * cover only the time to the first byte. An attempt that cannot end in time does not begin. After one that has waited in vain, no kept connection is used again.
 *
 * It refuses responses that are empty or incomplete, such as responses of a failing proxy. Otherwise a missing item would
 * look like a deleted user, and a failed write like a successful one.
 */
export const limitAttempts =
  (
    longest: number,
    runtime: Pick<Runtime, 'now'>,
    closeIdle: () => void,
  ): FinalizeRequestMiddleware<ServiceInputTypes, ServiceOutputTypes> =>
  (next, context: AttemptContext) =>
  async (args) => {
    ensureTime(runtime);
    const milliseconds = Math.min(longest, timeLeft(runtime));
    const attempt = new AbortController();
    const timer = setTimeout(() => attempt.abort(), milliseconds);
    context.attemptSignal = attempt.signal;
    try {
      const result = await next(args);
      if (!isWhole(context.commandName ?? '', args.input, result.output, result.response as object))
        throw brokenResponse();
      return result;
    } catch (error) {
      if (!attempt.signal.aborted) throw failureOf(error);
      closeIdle();
      throw timeout(milliseconds);
    } finally {
      clearTimeout(timer);
    }
  };

/**
 * The last middleware sends the request itself, because `next` takes no signal. The signal closes the socket, so that nothing
 * more is sent. It cannot be an option of `send`: that would end all attempts of a call, not one.
 */
export const sendAbortably =
  (handler: DynamoDBClient['config']['requestHandler']): DeserializeMiddleware<ServiceInputTypes, ServiceOutputTypes> =>
  (_, context: AttemptContext) =>
  async ({ request }) =>
    handler.handle(request, context.attemptSignal && { abortSignal: context.attemptSignal });

/** A connection or a server that fails is tried so often. */
export const ATTEMPTS_PER_CALL = 3;

/** Capacity is back within seconds: who has a deadline when this is called waits for it until then. */
export function triesFor(runtime: Runtime, most: number): (again: Again) => number {
  const throttled = Number.isFinite(timeLeft(runtime)) ? Number.POSITIVE_INFINITY : most;
  return ({ delays }) => (delays === THROTTLING_DELAYS ? throttled : most);
}

/**
 * Repeats what may succeed at another attempt, until the deadline. An error that stays is a `ServiceError`, unless callers handle it. A transaction
 * has one attempt: `transact` repeats it, and must know whether DynamoDB has answered.
 */
export const repeatAttempts =
  (runtime: Runtime): InitializeMiddleware<ServiceInputTypes, ServiceOutputTypes> =>
  (next, { commandName }) =>
  (args) =>
    commandName === TRANSACTION
      ? next(args)
      : retry(runtime, triesFor(runtime, ATTEMPTS_PER_CALL), () => next(args).catch(againAfter));

/** `ConsumedCapacity` is one object, or one per table. Undefined where the store has left it out. */
function unitsOf(output: object): number | undefined {
  const capacity = 'ConsumedCapacity' in output ? output.ConsumedCapacity : undefined;
  if (capacity === undefined) return undefined;
  const tables = [capacity].flat() as ConsumedCapacity[];
  return tables.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

/** @param units undefined where the store has told no price */
function noteUnits(kind: 'readUnits' | 'writeUnits', units: number | undefined): void {
  const meter = currentMeter();
  if (!meter) return;
  if (units === undefined) meter.unpriced = (meter.unpriced ?? 0) + 1;
  else meter[kind] += units;
}

/** Adds what each call costs to the meter of the current request. Milliseconds include all attempts. */
export const meterCapacity =
  ({ now }: Pick<Runtime, 'now'>): InitializeMiddleware<ServiceInputTypes, ServiceOutputTypes> =>
  (next, { commandName = '' }) =>
  async (args) => {
    if (!ITEM_COMMAND.test(commandName)) return next(args);
    const meter = currentMeter();
    const start = now();
    try {
      const result = await next({ ...args, input: { ReturnConsumedCapacity: 'TOTAL', ...args.input } });
      noteUnits(READ.test(commandName) ? 'readUnits' : 'writeUnits', unitsOf(result.output));
      return result;
    } finally {
      if (meter) {
        meter.calls++;
        meter.dynamoMs += now() - start;
      }
    }
  };
