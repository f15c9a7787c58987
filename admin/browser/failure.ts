/** A response with an error, or none at all (status 0), or a fault of this page (status -1). */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure';
  readonly status: number;
  /** What is wrong with which member of the body. */
  readonly members: Readonly<Record<string, string>>;
  /** Absent if the service did not say when to try again. */
  readonly retryAfterS: number | undefined;

  constructor(status: number, message: string, { members = {}, retryAfterS }: Partial<RequestFailure> = {}) {
    super(message);
    this.status = status;
    this.members = members;
    this.retryAfterS = retryAfterS;
  }
}

interface ProblemDetails {
  detail?: string;
  message?: string;
  errors?: { detail: string; pointer: string }[];
}

/** A body that breaks off is a `TypeError`, as a host that does not answer is. */
export function toFailure(error: unknown): RequestFailure {
  if (error instanceof RequestFailure) return error;
  return error instanceof TypeError
    ? new RequestFailure(0, 'The answer broke off')
    : new RequestFailure(-1, String(error));
}

/** What a response with an error says. */
export async function failureOf(response: Response): Promise<RequestFailure> {
  const body: ProblemDetails = await response.json().catch(() => ({}));
  const members = Object.fromEntries(
    (body.errors ?? []).map(({ detail, pointer }) => [pointer.replace(/^#?\//, ''), detail]),
  );
  const retryAfter = response.headers.get('retry-after');
  return new RequestFailure(response.status, body.detail ?? body.message ?? `Status ${response.status}`, {
    members,
    retryAfterS: retryAfter === null ? undefined : Number(retryAfter),
  });
}
