/** A response with an error, or none at all (status 0), or a fault of this page (status -1). */
export class RequestFailure extends Error {
  readonly status: number;
  /** What is wrong with which member of the body. */
  readonly members: Readonly<Record<string, string>>;
  /** Absent if the service did not say when to try again. */
  readonly retryAfterS: number | undefined;

  constructor(status: number, message: string, members = {}, retryAfterS?: number) {
    super(message);
    this.status = status;
    this.members = members;
    this.retryAfterS = retryAfterS;
  }
}

/** A body that breaks off is a `TypeError`, as a host that does not answer is. */
export function toFailure(error: unknown): RequestFailure {
  if (error instanceof RequestFailure) return error;
  return error instanceof TypeError
    ? new RequestFailure(0, 'The answer broke off')
    : new RequestFailure(-1, String(error));
}

interface ProblemDetails {
  detail?: string;
  message?: string;
  errors?: { detail: string; pointer: string }[];
}

/** What a response with an error says. */
export async function failureOf(response: Response): Promise<RequestFailure> {
  const { detail, message, errors = [] }: ProblemDetails = await response.json().catch(() => ({}));
  const members = errors.map((error) => [error.pointer.replace(/^#?\//, ''), error.detail]);
  const said = detail ?? message ?? `Status ${response.status}`;
  const retryAfterS = Number(response.headers.get('retry-after')) || undefined;
  return new RequestFailure(response.status, said, Object.fromEntries(members), retryAfterS);
}
