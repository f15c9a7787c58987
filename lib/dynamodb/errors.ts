import type { ServiceInputTypes, ServiceOutputTypes } from '@aws-sdk/client-dynamodb';
import type { InitializeMiddleware } from '@smithy/types';
import { fault, ServiceError, unavailable } from '../errors.ts';

/** Errors by which DynamoDB, or the network on the way to it, asks to come back later. */
const TRANSIENT = new Set([
  'InternalServerError',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ServiceUnavailable',
  'ThrottlingException',
  'TransactionConflictException',
  'TimeoutError',
  'AbortError',
  'BrokenAnswer',
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'EMFILE',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Errors that speak of resources and rights alone. Others may quote the items that were sent. */
const TELLING = new Set([
  'AccessDeniedException',
  'CredentialsProviderError',
  'ExpiredTokenException',
  'ResourceNotFoundException',
  'UnrecognizedClientException',
]);

/** Outcomes that callers deal with. */
const OUTCOMES = new Set([
  'ConditionalCheckFailedException',
  'TransactionCanceledException',
  'TransactionInProgressException',
]);

/** Whether the condition of a write did not hold. */
export const isRefused = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ConditionalCheckFailedException';

type SdkError = Error & {
  code?: string;
  $retryable?: object;
  $metadata?: { httpStatusCode?: number };
  $response?: { statusCode?: number };
};

/** Errors of the network have a code, those of AWS a name. */
const kindOf = ({ name, code }: SdkError): string => code ?? name;

/** Whether something between here and DynamoDB has failed, whatever it answered. */
const isServerFailure = ({ $metadata, $response }: SdkError): boolean =>
  ($metadata?.httpStatusCode ?? $response?.statusCode ?? 0) >= 500;

const isTransient = (error: SdkError): boolean =>
  TRANSIENT.has(kindOf(error)) || error.$retryable !== undefined || isServerFailure(error);

const textOf = (error: SdkError): string => {
  const kind = kindOf(error);
  return TRANSIENT.has(kind) || TELLING.has(kind) ? `${kind}: ${error.message}` : kind;
};

/**
 * Turns what the SDK throws, after its own retries, into the service's errors. A raw SDK error carries the signed
 * request and the items, so it must not travel on: only its name does, and its message where that quotes nothing.
 */
export const translateErrors: InitializeMiddleware<ServiceInputTypes, ServiceOutputTypes> = (next) => async (args) => {
  try {
    return await next(args);
  } catch (error) {
    if (!(error instanceof Error) || error instanceof ServiceError || OUTCOMES.has(error.name)) throw error;
    if (isTransient(error)) throw unavailable(`DynamoDB is not available: ${textOf(error)}`);
    throw fault(`DynamoDB refused the request: ${textOf(error)}`);
  }
};
