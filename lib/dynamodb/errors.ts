import type { ServiceInputTypes, ServiceOutputTypes } from '@aws-sdk/client-dynamodb';
import type { InitializeMiddleware } from '@smithy/types';
import { unavailable } from '../errors.ts';

/** Errors by which DynamoDB, or the network on the way to it, asks to come back later. */
const TRANSIENT = new Set([
  'InternalServerError',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ServiceUnavailable',
  'ThrottlingException',
  'TimeoutError',
  'AbortError',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Outcomes that `transact` deals with. */
const OUTCOMES = new Set(['TransactionCanceledException', 'TransactionInProgressException']);

const isTransient = (error: Error & { code?: string; $retryable?: object }): boolean =>
  TRANSIENT.has(error.name) || TRANSIENT.has(error.code ?? '') || error.$retryable !== undefined;

/**
 * Turns what the SDK throws, after its own retries, into the service's errors. A raw SDK error carries the signed
 * request and the items, so it must not travel on: only its name and message do.
 */
export const translateErrors: InitializeMiddleware<ServiceInputTypes, ServiceOutputTypes> = (next) => async (args) => {
  try {
    return await next(args);
  } catch (error) {
    if (!(error instanceof Error) || OUTCOMES.has(error.name)) throw error;
    if (isTransient(error)) throw unavailable(`DynamoDB is not available: ${error.name}: ${error.message}`);
    throw new Error(`DynamoDB refused the request: ${error.name}: ${error.message}`);
  }
};
