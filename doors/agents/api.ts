/** Milliseconds, below the thirty seconds for which API Gateway waits. */
const TIMEOUT_MS = 28_000;

/** An answer that is no success: a status, and a sentence for an agent. */
export class Refusal extends Error {
  readonly status: number;
  /** In seconds, as the service names them. */
  readonly retryAfter: string | null;

  constructor(status: number, message: string, retryAfter: string | null = null) {
    super(retryAfter === null ? message : `${message}. Try again in ${retryAfter} seconds`);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** A refusal with the advice of the service, which it gives in problem details (RFC 9457). */
async function refusalOf(response: Response): Promise<Refusal> {
  const { detail, message, errors = [] } = Object(await response.json().catch(() => undefined));
  const others = errors.map(({ field, message: reason }: Record<string, string>) => `. ${field}: ${reason}`).join('');
  const said = `${response.status}: ${detail ?? message ?? 'not an answer of the service'}${others}`;
  return new Refusal(response.status, said, response.headers.get('retry-after'));
}

const AWAY = 'The service cannot be reached. A change that was sent may have been made';

const textOf = (query: object): string =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [name, String(each)]),
    ),
  ).toString();

export type Api = ReturnType<typeof createApi>;

/** The service, as the bearer of a token sees it. It throws a Refusal for all but a success. */
export const createApi =
  (url: string, authorization: string | null) =>
  async (method: string, path: string, query: object = {}, json?: object, key?: string) => {
    const headers = {
      accept: 'application/json, application/problem+json',
      ...(authorization !== null && { authorization }),
      ...(json && { 'content-type': 'application/json' }),
      ...(key && { 'idempotency-key': key }),
    };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const init = { method, headers, signal, redirect: 'manual', body: json ? JSON.stringify(json) : null } as const;
    const response = await fetch(`${url}/api/users${path}?${textOf(query)}`, init).catch((error) => {
      console.error(error);
      throw new Refusal(503, AWAY, '5');
    });
    if (!response.ok) throw await refusalOf(response);
    return Object(await response.json());
  };
