import type { ServiceInputTypes, ServiceOutputTypes } from '@aws-sdk/client-dynamodb';
import type { InitializeMiddleware } from '@smithy/types';
import { fault, ServiceError, unavailable } from '../errors.ts';

/** Temporary errors of DynamoDB, or of the network on the way to it. */
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
  'BrokenResponse',
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

/** Errors whose messages name only resources and permissions. Other messages may quote the items that were sent. */
const LOGGABLE = new Set([
  'AccessDeniedException',
  'CredentialsProviderError',
  'ExpiredTokenException',
  'ResourceNotFoundException',
  'UnrecognizedClientException',
]);

/** Errors that callers handle. */
const HANDLED = new Set([
  'ConditionalCheckFailedException',
  'TransactionCanceledException',
  'TransactionInProgressException',
]);

/** Whether the condition of a write did not hold. */
export const isConditionFailed = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ConditionalCheckFailedException';

type SdkError = Error & {
  code?: string;
  $retryable?: object;
  $metadata?: { httpStatusCode?: number };
  $response?: { statusCode?: number };
};

/** Network errors have a code, AWS errors a name. */
const kindOf = ({ name, code }: SdkError): string => code ?? name;

/** Whether DynamoDB, or a proxy on the way to it, responded with a server error. */
const isServerFailure = ({ $metadata, $response }: SdkError): boolean =>
  ($metadata?.httpStatusCode ?? $response?.statusCode ?? 0) >= 500;

const isTransient = (error: SdkError): boolean =>
  TRANSIENT.has(kindOf(error)) || error.$retryable !== undefined || isServerFailure(error);

const textOf = (error: SdkError): string => {
  const kind = kindOf(error);
  return TRANSIENT.has(kind) || LOGGABLE.has(kind) ? `${kind}: ${error.message}` : kind;
};

/**
 * Turns an error that the SDK throws after its own retries into a `ServiceError`. An SDK error contains the signed request and
 * the items, so only its name is kept, and its message if that quotes nothing.
 */
export const translateErrors: InitializeMiddleware<ServiceInputTypes, ServiceOutputTypes> = (next) => async (args) => {
  try {
    return await next(args);
  } catch (error) {
    if (!(error instanceof Error) || error instanceof ServiceError || HANDLED.has(error.name)) throw error;
    if (isTransient(error)) throw unavailable(`DynamoDB is not available: ${textOf(error)}`);
    throw fault(`DynamoDB refused the request: ${textOf(error)}`);
  }
};
