import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { HandlerExecutionContext } from '@smithy/types';
import type { FakeStore, Line } from './store.ts';

/** The input of a call, before the SDK adds types to its values. */
interface PlainContext extends HandlerExecutionContext {
  plain?: unknown;
}

/** The client says `TransactWriteItemsCommand`, the document client `TransactWriteCommand`. */
const plainName = (command = ''): string => command.replace(/Items?Command$/, 'Command');

/** The store that a call reaches, and the line on which it goes there. */
export interface Reached {
  store: FakeStore;
  line: Line;
}

/**
 * Connects a real client, with its retries, its limits and the middlewares of the service, to a store in memory. The client takes
 * an error of the line for an error of the network or of DynamoDB.
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
