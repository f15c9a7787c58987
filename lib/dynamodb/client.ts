import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { systemRuntime } from '../runtime.ts';
import { meterCapacity } from './capacity.ts';
import { limitAttempts } from './deadline.ts';
import { translateErrors } from './errors.ts';

/** All attempts of one call end well before a function's timeout: at most 3 × 3 s and the pauses between them. */
const MAX_ATTEMPTS = 3;
const ATTEMPT_TIMEOUT_MS = 3_000;
const CONNECTION_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 2_000;

/**
 * The document client of a container, to be created once, outside the handler: its connections are kept alive.
 * The SDK itself reads region, credentials and `AWS_ENDPOINT_URL_DYNAMODB`.
 */
export function createDynamo(config: { endpoint?: string } = {}): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    ...config,
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
  client.middlewareStack.add(translateErrors, { step: 'initialize', name: 'translateErrors', priority: 'high' });
  client.middlewareStack.add(limitAttempts(ATTEMPT_TIMEOUT_MS), {
    step: 'finalizeRequest',
    name: 'limitAttempts',
    priority: 'low',
  });
  client.middlewareStack.add(meterCapacity(systemRuntime), { step: 'initialize', name: 'meterCapacity' });
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}
