import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Logger } from '@smithy/types';
import { type Runtime, systemRuntime } from '../runtime.ts';
import { refuseBrokenAnswers } from './answers.ts';
import { limitAttempts, sendAbortably } from './attempts.ts';
import { meterCapacity } from './capacity.ts';
import { translateErrors } from './errors.ts';
import { retryWithin } from './retries.ts';

/** All attempts of one call end before a function's timeout: at most 3 × 3 s, and pauses of 0.5 and 1 s at most. */
const MAX_ATTEMPTS = 3;
const ATTEMPT_TIMEOUT_MS = 3_000;
const CONNECTION_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 2_000;

const drop = () => {};

/** For `info` the SDK copies each answer, which takes 10 ms of a thousand items; it asks whether there is one. */
const SILENT = { trace: drop, debug: drop, warn: drop, error: drop } as Logger;

interface DynamoOptions {
  endpoint?: string;
  runtime?: Runtime;
}

/** Within one call, from the outside in; the SDK's own retries stand between `meterCapacity` and `limitAttempts`. */
function addMiddlewares({ middlewareStack, config }: DynamoDBClient, runtime: Runtime): void {
  middlewareStack.add(translateErrors, { step: 'initialize', name: 'translateErrors', priority: 'high' });
  middlewareStack.add(meterCapacity(runtime), { step: 'initialize', name: 'meterCapacity' });
  const inAttempt = { step: 'finalizeRequest', priority: 'low' } as const;
  middlewareStack.add(limitAttempts(ATTEMPT_TIMEOUT_MS, runtime), { ...inAttempt, name: 'limitAttempts' });
  middlewareStack.add(refuseBrokenAnswers, { ...inAttempt, name: 'refuseBrokenAnswers' });
  const last = { step: 'deserialize', priority: 'low' } as const;
  middlewareStack.add(sendAbortably(config.requestHandler), { ...last, name: 'sendAbortably' });
}

/**
 * The document client of a container, to be created once, outside the handler: its connections are kept alive.
 * The SDK itself reads region, credentials and `AWS_ENDPOINT_URL_DYNAMODB`.
 */
export function createDynamo({ runtime = systemRuntime, ...config }: DynamoOptions = {}): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    ...config,
    logger: SILENT,
    maxAttempts: MAX_ATTEMPTS,
    retryStrategy: retryWithin(MAX_ATTEMPTS, runtime),
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
  addMiddlewares(client, runtime);
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}
