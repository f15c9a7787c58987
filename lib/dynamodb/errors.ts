import { fault, ServiceError, unavailable } from '../errors.ts';
import { Again, CONFLICT_DELAYS, type Delays, FAILURE_DELAYS, THROTTLING_DELAYS } from './retry.ts';

/** Errors of DynamoDB that end when there is capacity. */
const THROTTLED = new Set([
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]);

/** A write of one item meets a transaction. */
const CONFLICT = 'TransactionConflictException';

/** Errors of a server, or of the network on the way to it: these have the codes of Node, such as `ECONNRESET`. */
const FAILED = /^(InternalServerError|ServiceUnavailable|TimeoutError|AbortError|BrokenResponse|E(?!RR_)[A-Z_]+)$/;

/** Errors whose messages name only resources and permissions. Other messages may quote the items that were sent. */
const LOGGABLE = new Set([
  'AccessDeniedException',
  'CredentialsProviderError',
  'ExpiredTokenException',
  'ResourceNotFoundException',
  'UnrecognizedClientException',
]);

/** Errors that callers handle. Another attempt of the same transaction would be in progress, too: `transact` waits for it. */
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
  $metadata?: { httpStatusCode?: number; clockSkewCorrected?: boolean };
  $response?: { statusCode?: number };
};

/** Network errors have a code, AWS errors a name. */
const kindOf = ({ name, code }: SdkError): string => code ?? name;

/** Whether DynamoDB, or a proxy on the way to it, responded with a server error, or the SDK has learned the right time from it. */
const isServerFailure = ({ $metadata, $response }: SdkError): boolean =>
  ($metadata?.httpStatusCode ?? $response?.statusCode ?? 0) >= 500 || $metadata?.clockSkewCorrected === true;

/** How long to wait before another attempt. Undefined for an error that it would meet, too. */
function delaysAfter(error: SdkError): Delays | undefined {
  const kind = kindOf(error);
  if (kind === CONFLICT) return CONFLICT_DELAYS;
  if (THROTTLED.has(kind)) return THROTTLING_DELAYS;
  return FAILED.test(kind) || error.$retryable || isServerFailure(error) ? FAILURE_DELAYS : undefined;
}

const textOf = (error: SdkError): string => {
  const kind = kindOf(error);
  const isLoggable = kind === CONFLICT || THROTTLED.has(kind) || FAILED.test(kind) || LOGGABLE.has(kind);
  return isLoggable ? `${kind}: ${error.message}` : kind;
};

/**
 * What an error of an attempt means: whether another one may succeed, and what it is for callers. An SDK error contains the signed
 * request and the items, so only its name is kept, and its message if that quotes nothing.
 *
 * @throws the error if no other attempt may succeed
 */
export function againAfter(error: unknown): Again {
  if (!(error instanceof Error) || error instanceof ServiceError || HANDLED.has(error.name)) throw error;
  const delays = delaysAfter(error);
  if (!delays) throw fault(`DynamoDB refused the request: ${textOf(error)}`);
  return new Again(delays, unavailable(`DynamoDB is not available: ${textOf(error)}`));
}
