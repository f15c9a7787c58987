import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Logger } from '@smithy/types';
import { type Runtime, systemRuntime } from '../ground/index.ts';
import { readBinaries } from './binaries.ts';
import { limitAttempts, meterCapacity, repeatAttempts, sendAbortably } from './middleware.ts';

const CONNECTION_TIMEOUT_MS = 1_000;

/** All attempts of one call end before the function's timeout: 3 × 3 s, and two pauses of at most 0.5 and 1 s. */
const ATTEMPT_MS = 3_000;

const UNHURRIED_MS = 60_000;

const ignore = () => {};

/** It has no `info`: the SDK would copy every response for it, which takes 10 ms for a thousand items. */
const SILENT = { trace: ignore, debug: ignore, warn: ignore, error: ignore } as Logger;

/** The client, tables and clock that a function needs to call DynamoDB. */
export interface DynamoAccess {
  dynamo: DynamoDBDocumentClient;
  runtime: Runtime;
}

interface DynamoOptions extends Pick<DynamoDBClientConfig, 'region' | 'credentials' | 'endpoint'> {
  runtime?: Runtime;
  /** For commands that read whole tables and that no client waits for: one attempt may take a minute. */
  isUnhurried?: boolean;
  /** How long one attempt may take, in milliseconds. */
  attemptMs?: number;
}

/** As many kept connections as the SDK's own agents have. */
const KEPT = { keepAlive: true, maxSockets: 50 };

/**
 * While a container is frozen all its connections may be dropped without a word. Then an attempt waits for nothing, and so would
 * the next ones on other kept connections: when one has waited in vain, none that is idle is used again.
 */
function closeIdle({ freeSockets }: HttpAgent): void {
  for (const socket of Object.values(freeSockets).flat()) socket?.destroy();
}

/**
 * Creates the document client. Call it once per container, outside the handler: its connections are kept alive.
 * The SDK itself reads region, credentials and `AWS_ENDPOINT_URL_DYNAMODB`.
 */
export function createDynamo({
  runtime = systemRuntime,
  isUnhurried = false,
  attemptMs = isUnhurried ? UNHURRIED_MS : ATTEMPT_MS,
  ...config
}: DynamoOptions = {}): DynamoDBDocumentClient {
  const agents = { httpAgent: new HttpAgent(KEPT), httpsAgent: new HttpsAgent(KEPT) };
  const client = new DynamoDBClient({
    ...config,
    ...readBinaries(),
    logger: SILENT,
    // `repeatAttempts` does it: the SDK would sleep past the deadline.
    maxAttempts: 1,
    requestHandler: { ...agents, connectionTimeout: CONNECTION_TIMEOUT_MS },
  });
  const stack = client.middlewareStack;
  // From the outside in.
  stack.add(meterCapacity(runtime), { step: 'initialize', priority: 'high' });
  stack.add(repeatAttempts(runtime), { step: 'initialize' });
  stack.add(
    limitAttempts(attemptMs, runtime, () => Object.values(agents).forEach(closeIdle)),
    { step: 'finalizeRequest', priority: 'low' },
  );
  stack.add(sendAbortably(client.config.requestHandler), { step: 'deserialize', priority: 'low' });
  // The SDK asks an object for its constructor, and one with a member of that name is of no class that it knows.
  const marshallOptions = { removeUndefinedValues: true, convertClassInstanceToMap: true };
  return DynamoDBDocumentClient.from(client, { marshallOptions });
}
