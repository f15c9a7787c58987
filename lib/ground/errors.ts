interface Problem {
  status: number;
  /** What the code means for a client: the `title` of RFC 9457. */
  meaning: string;
}

/**
 * Every error that a response can tell, by its code: `urn:problem:<code>` is the `type` of a problem, and the log line has the code.
 * Codes stay as they are. docs/api.md and the OpenAPI document print this table.
 */
export const PROBLEMS = {
  validation: { status: 400, meaning: 'The body is not valid' },
  'not-json': { status: 400, meaning: 'The body is empty, or not JSON' },
  'refused-json': { status: 400, meaning: 'The body is too deep, or has a name that is refused' },
  'wrong-encoding': { status: 400, meaning: 'The body or a parameter is not UTF-8' },
  'invalid-parameter': { status: 400, meaning: 'A parameter, the id in the path or an Idempotency-Key is not valid' },
  'unknown-parameter': { status: 400, meaning: 'A parameter is none that is taken here' },
  'unknown-sort': { status: 400, meaning: 'The list cannot be sorted by this property' },
  'impossible-id': { status: 400, meaning: 'No user can have this id yet' },
  'token-expired': { status: 401, meaning: 'The token has expired' },
  'insufficient-scope': { status: 403, meaning: 'The token lacks a scope' },
  'user-not-found': { status: 404, meaning: 'There is no user with this id' },
  'edit-not-found': { status: 404, meaning: 'There is no edit with this name any more' },
  'path-not-found': { status: 404, meaning: 'There is nothing at this path' },
  'changes-not-kept': { status: 404, meaning: 'The stage keeps no changes' },
  'method-not-allowed': { status: 405, meaning: 'The path has other methods: see Allow' },
  'not-acceptable': { status: 406, meaning: 'There is no representation that Accept allows' },
  'patch-conflict': { status: 409, meaning: 'An operation of the JSON Patch does not apply to the user' },
  'email-taken': { status: 409, meaning: 'Another user has this e-mail address' },
  'external-id-taken': { status: 409, meaning: 'Another user has this external id' },
  'edit-too-large': { status: 409, meaning: 'More users match than the edit may change' },
  'edit-busy': { status: 409, meaning: 'Another call works on this edit: try again after the seconds in Retry-After' },
  'edit-undone': { status: 409, meaning: 'The edit was undone, so it does not go on' },
  'changes-gone': { status: 410, meaning: 'Changes after this token are no longer kept' },
  'past-gone': { status: 410, meaning: 'The past of the user is not kept since this moment' },
  'precondition-failed': { status: 412, meaning: 'If-Match or If-None-Match does not hold' },
  'user-exists': { status: 412, meaning: 'There is a user with this id' },
  'body-too-large': { status: 413, meaning: 'The body has too many bytes' },
  'unsupported-media-type': { status: 415, meaning: 'The body has a media type that is not taken here' },
  'unsupported-encoding': { status: 415, meaning: 'The body has a charset other than UTF-8, or a Content-Encoding' },
  'idempotency-key-reused': { status: 422, meaning: 'The Idempotency-Key was used for another body' },
  'edit-differs': { status: 422, meaning: 'The edit is one of another caller, with other filters or another body' },
  internal: { status: 500, meaning: 'A fault of the service' },
  'too-long': { status: 503, meaning: 'The question takes too long: ask for less' },
  unavailable: { status: 503, meaning: 'Try again after the seconds in Retry-After' },
} as const satisfies Record<string, Problem>;

export type ProblemCode = keyof typeof PROBLEMS;

export const typeOf = (code: string): string => `urn:problem:${code}`;

/** One failure of a validation (RFC 9457, section 3.2): what is wrong, and a JSON Pointer to where. */
export interface Failure {
  detail: string;
  pointer: string;
}

interface Details {
  cause?: unknown;
  headers?: Record<string, string>;
  failures?: readonly Failure[];
  /** The message with advice, for problem details alone: the message of a failed rule is the one of the contract. */
  detail?: string | undefined;
}

/**
 * An error with a code of the table, which gives its response the HTTP status. Below 500 the message is for the client. From 500 on the client gets a
 * constant, and the message goes to the log.
 */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';
  readonly code: ProblemCode;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly failures: readonly Failure[];
  readonly detail: string;

  constructor(
    code: ProblemCode,
    message: string,
    { cause, headers = {}, failures = [], detail = message }: Details = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.status = PROBLEMS[code].status;
    this.headers = headers;
    this.failures = failures;
    this.detail = detail;
  }
}

export const badParameter = (message: string): ServiceError => new ServiceError('invalid-parameter', message);

export const userNotFound = (id: bigint | number): ServiceError =>
  new ServiceError('user-not-found', `User not found with id: ${id}`);

/** A fault of the service. The message goes to the log, so it must not quote what a user sent. */
export const fault = (message: string, cause?: unknown): ServiceError =>
  new ServiceError('internal', message, { cause });

/** DynamoDB is throttled, unreachable or too contended. Trying again later may help. */
export const unavailable = (message: string, cause?: unknown): ServiceError =>
  new ServiceError('unavailable', message, { cause, headers: { 'retry-after': '1' } });
