import { fault, ServiceError, unavailable } from '../ground/index.ts';
import { Again, CONFLICT_DELAYS, type Delays, FAILURE_DELAYS, THROTTLING_DELAYS } from './retry.ts';

/** Names of errors, and codes of single writes in a call, which end without "Exception". These end when there is capacity. */
const THROTTLED = /^(LimitExceeded|ProvisionedThroughputExceeded|RequestLimitExceeded|Throttling)/;

/** A write meets a transaction. */
const CONFLICT = /^TransactionConflict/;

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

/** The condition of a write did not hold: callers handle it. */
export const CONDITION_FAILED = 'ConditionalCheckFailedException';

type SdkError = Error & {
  code?: string;
  $retryable?: object;
  $metadata?: { httpStatusCode?: number; clockSkewCorrected?: boolean };
  $response?: { statusCode?: number };
};

/** Network errors have a code, AWS errors a name. */
const kindOf = ({ name, code }: SdkError): string => code ?? name;

/** Whether it passes: DynamoDB, or a proxy on the way to it, responded with a server error, or the SDK has learned the right time from it. */
const isPassing = ({ $retryable, $metadata, $response }: SdkError): boolean =>
  $retryable !== undefined ||
  ($metadata?.httpStatusCode ?? $response?.statusCode ?? 0) >= 500 ||
  $metadata?.clockSkewCorrected === true;

/** How long to wait before another attempt. Undefined for an error that it would meet, too. */
export function delaysAfter(kind: string): Delays | undefined {
  if (CONFLICT.test(kind)) return CONFLICT_DELAYS;
  if (THROTTLED.test(kind)) return THROTTLING_DELAYS;
  return FAILED.test(kind) ? FAILURE_DELAYS : undefined;
}

const textOf = (kind: string, message: string): string =>
  delaysAfter(kind) || LOGGABLE.has(kind) ? `${kind}: ${message}` : kind;

/**
 * The meaning of an error of an attempt: whether another one may succeed, and the error for callers. An SDK error contains the signed
 * request and the items, so only its name is kept, and its message if that quotes nothing.
 *
 * @throws the error if no other attempt may succeed
 */
export function againAfter(error: unknown): Again {
  if (!(error instanceof Error) || error instanceof ServiceError || error.name === CONDITION_FAILED) throw error;
  const kind = kindOf(error);
  const text = textOf(kind, error.message);
  const delays = delaysAfter(kind) ?? (isPassing(error) ? FAILURE_DELAYS : undefined);
  if (!delays) throw fault(`DynamoDB refused the request: ${text}`);
  return new Again(unavailable(`DynamoDB is not available: ${text}`), delays);
}
