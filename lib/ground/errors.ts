/** The meaning of an error for a client, and the status that tells it. */
export interface Problem {
  status: number;
  /** The `title` of RFC 9457. */
  meaning: string;
}

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
 * An error that was foreseen: its code says which one, and its problem gives its response the HTTP status. Below 500 the message is for the
 * client. From 500 on the client gets a constant, and the message goes to the log.
 */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';
  readonly code: string;
  readonly status: number;
  readonly meaning: string;
  readonly headers: Record<string, string>;
  readonly failures: readonly Failure[];
  readonly detail: string;

  constructor(
    { code, status, meaning }: Problem & { code: string },
    message: string,
    { cause, headers = {}, failures = [], detail = message }: Details = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.meaning = meaning;
    this.headers = headers;
    this.failures = failures;
    this.detail = detail;
  }
}

/** Makes what makes errors of the codes of a table. */
export const errorsOf =
  <Code extends string>(problems: Readonly<Record<Code, Problem>>) =>
  (code: Code, message: string, details?: Details): ServiceError =>
    new ServiceError({ code, ...problems[code] }, message, details);

/** The errors that more than one package throws, by their codes. Codes stay as they are. */
export const PROBLEMS = {
  validation: { status: 400, meaning: 'The body is not valid' },
  'precondition-failed': { status: 412, meaning: 'If-Match or If-None-Match does not hold' },
  internal: { status: 500, meaning: 'A fault of the service' },
  unavailable: { status: 503, meaning: 'Try again after the seconds in Retry-After' },
} as const satisfies Record<string, Problem>;

const errorOf = /* @__PURE__ */ errorsOf(PROBLEMS);

/** A fault of the service. The message goes to the log, so it must not quote what a user sent. */
export const fault = (message: string, cause?: unknown): ServiceError => errorOf('internal', message, { cause });

/** DynamoDB is throttled, unreachable or too contended. Trying again later may help. */
export const unavailable = (message: string, cause?: unknown): ServiceError =>
  errorOf('unavailable', message, { cause, headers: { 'retry-after': '1' } });
