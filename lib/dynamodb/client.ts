import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Logger } from '@smithy/types';
import { type Runtime, systemRuntime } from '../runtime.ts';
import { createAgents, distrustIdle, limitAttempts, retryWithin, sendAbortably } from './attempts.ts';
import { translateErrors } from './errors.ts';
import { meterCapacity, refuseBrokenResponses } from './itemCommands.ts';

/** All attempts of one call end before the function's timeout: 3 × 3 s, and two pauses of at most 0.5 and 1 s. */
const ATTEMPTS_PER_CALL = 3;
const CONNECTION_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 2_000;

/** For commands that read whole tables and that no client waits for. */
export const UNHURRIED = { requestTimeoutMs: 60_000 };

const ignore = () => {};

/** It has no `info`: the SDK would copy every response for it, which takes 10 ms for a thousand items. */
const SILENT = { trace: ignore, debug: ignore, warn: ignore, error: ignore } as Logger;

/** What a function needs to call DynamoDB. */
export interface DynamoAccess {
  dynamo: DynamoDBDocumentClient;
  runtime: Runtime;
}

interface DynamoOptions extends Pick<DynamoDBClientConfig, 'region' | 'credentials' | 'endpoint'> {
  runtime?: Runtime;
  /** How long one attempt may wait for its response, in milliseconds. 2,000 by default. */
  requestTimeoutMs?: number;
}

/** From the outside in. The SDK's own retries are between `meterCapacity` and `limitAttempts`. */
function addMiddlewares({ middlewareStack: stack, config }: DynamoDBClient, runtime: Runtime, attemptMs: number): void {
  stack.add(translateErrors, { step: 'initialize', priority: 'high' });
  stack.add(meterCapacity(runtime), { step: 'initialize' });
  stack.add(limitAttempts(attemptMs, runtime), { step: 'finalizeRequest', priority: 'low' });
  stack.add(refuseBrokenResponses, { step: 'finalizeRequest', priority: 'low' });
  stack.add(sendAbortably(config.requestHandler), { step: 'deserialize', priority: 'low' });
}

/**
 * Creates the document client. Call it once per container, outside the handler: its connections are kept alive.
 * The SDK itself reads region, credentials and `AWS_ENDPOINT_URL_DYNAMODB`.
 */
export function createDynamo({
  runtime = systemRuntime,
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
  ...config
}: DynamoOptions = {}): DynamoDBDocumentClient {
  const agents = createAgents();
  const client = new DynamoDBClient({
    ...config,
    logger: SILENT,
    maxAttempts: ATTEMPTS_PER_CALL,
    retryStrategy: retryWithin(ATTEMPTS_PER_CALL, runtime),
    requestHandler: {
      ...agents,
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: requestTimeoutMs,
      throwOnRequestTimeout: true,
    },
  });
  client.middlewareStack.add(distrustIdle(agents), { step: 'finalizeRequest', priority: 'low' });
  addMiddlewares(client, runtime, CONNECTION_TIMEOUT_MS + requestTimeoutMs);
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}
