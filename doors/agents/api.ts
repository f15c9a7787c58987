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

/** A JSON object or array of the service. */
type Answer = Record<string, unknown>;

/** Something else has answered in the place of the service, such as the page of a proxy, which is not quoted. */
export const notOfService = (status: number): Refusal =>
  new Refusal(
    status < 400 ? 502 : status,
    status >= 300 && status < 400
      ? `${status}: the address of the service redirects, which this door does not follow: its deployer must name the new address`
      : `${status}: not an answer of the service`,
  );

const AWAY = 'The service cannot be reached. A change that was sent may have been made';

const away = (error: unknown): never => {
  console.error(error);
  throw new Refusal(503, AWAY, '5');
};

/** Undefined for a body that is no JSON object or array. */
async function jsonOf(response: Response): Promise<Answer | undefined> {
  const text = await response.text().catch(away);
  try {
    const json = JSON.parse(text);
    return typeof json === 'object' && json !== null ? json : undefined;
  } catch {
    return undefined;
  }
}

/** The failures of problem details (RFC 9457), each with the place of its member. */
const failuresIn = ({ errors, detail: said }: Answer): string =>
  (Array.isArray(errors) ? errors : [])
    .flatMap(({ pointer, detail }) => (detail === said && !pointer ? [] : [`. ${pointer || 'The body'}: ${detail}`]))
    .join('');

/** A refusal with the advice of the service, which it gives in problem details. */
function refusalOf({ status, headers }: Response, json: Answer | undefined): Refusal {
  const said = json?.detail ?? json?.message;
  if (json === undefined || typeof said !== 'string') return notOfService(status);
  return new Refusal(status, `${status}: ${said}${failuresIn(json)}`, headers.get('retry-after'));
}

const textOf = (query: object): string =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [name, String(each)]),
    ),
  ).toString();

export type Api = ReturnType<typeof createApi>;

/** The service, as the bearer of a token sees it. It throws a Refusal for all but a success. An object has the advice of its header, too. */
export const createApi =
  (url: string, authorization: string | null) =>
  async (method: string, path: string, query: object = {}, json?: object, key?: string): Promise<Answer> => {
    const headers = {
      accept: 'application/json, application/problem+json',
      ...(authorization !== null && { authorization }),
      ...(json && { 'content-type': 'application/json' }),
      ...(key && { 'idempotency-key': key }),
    };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const init = { method, headers, signal, redirect: 'manual', body: json ? JSON.stringify(json) : null } as const;
    const response = await fetch(`${url}/api/users${path}?${textOf(query)}`, init).catch(away);
    const answered = await jsonOf(response);
    if (!response.ok) throw refusalOf(response, answered);
    if (answered === undefined) throw notOfService(response.status);
    const advice = response.headers.get('advice');
    return advice === null || Array.isArray(answered) ? answered : { ...answered, advice };
  };
