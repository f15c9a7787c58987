/** One failure of a validation (RFC 9457, section 3.2): what is wrong, and a JSON Pointer to where. */
export interface Failure {
  detail: string;
  pointer: string;
}

interface Details {
  cause?: unknown;
  headers?: Record<string, string>;
  failures?: readonly Failure[];
}

/**
 * An error with the HTTP status of its response. Below 500 the message is for the client. From 500 on the client gets a
 * constant, and the message goes to the log.
 */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly failures: readonly Failure[];

  constructor(status: number, message: string, { cause, headers = {}, failures = [] }: Details = {}) {
    super(message, { cause });
    this.status = status;
    this.headers = headers;
    this.failures = failures;
  }
}

export const badRequest = (message: string, cause?: unknown): ServiceError => new ServiceError(400, message, { cause });

export const userNotFound = (id: bigint | number): ServiceError =>
  new ServiceError(404, `User not found with id: ${id}`);

/** A fault of the service. The message goes to the log, so it must not quote what a user sent. */
export const fault = (message: string, cause?: unknown): ServiceError => new ServiceError(500, message, { cause });

/** DynamoDB is throttled, unreachable or too contended. Trying again later may help. */
export const unavailable = (message: string, cause?: unknown): ServiceError =>
  new ServiceError(503, message, { cause, headers: { 'retry-after': '1' } });
