import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { HandlerExecutionContext } from '@smithy/types';
import type { FakeStore, Line } from './store.ts';

/** What a call was asked for, before the SDK has put types to its values. */
interface PlainContext extends HandlerExecutionContext {
  plain?: unknown;
}

/** `TransactWriteItemsCommand` of the client is `TransactWriteCommand` of the document client. */
const plainName = (command = ''): string => command.replace(/Items?Command$/, 'Command');

/** The store that the calls of a client reach at the moment, and what stands between the two. */
export interface Reached {
  store: FakeStore;
  line: Line;
}

/**
 * Lets a real client, with its retries, limits and the service's own middlewares, work on a store in memory: what `line`
 * throws is what an attempt meets on the wire.
 */
export function attach(dynamo: DynamoDBDocumentClient, reached: () => Reached): DynamoDBDocumentClient {
  dynamo.middlewareStack.add(
    (next, context: PlainContext) => (args) => {
      context.plain = args.input;
      return next(args);
    },
    { step: 'initialize', priority: 'low', name: 'keepInput' },
  );
  dynamo.middlewareStack.add(
    (_, context: PlainContext) => async () => {
      const call = { command: plainName(context.commandName), input: context.plain };
      const { store, line } = reached();
      const output = await line.around(call, () => store.execute(call, line));
      return { response: {}, output: { $metadata: {}, ...(output as object) } };
    },
    { step: 'finalizeRequest', priority: 'low', name: 'storeInMemory' },
  );
  return dynamo;
}
