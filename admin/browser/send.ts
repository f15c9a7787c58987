import { failureOf, RequestFailure } from './failure.ts';

/** What one request cost. */
export interface Cost {
  request: string;
  status: number;
  /** DynamoDB's read and write request units. */
  readUnits: number;
  writeUnits: number;
  /** How the list was read. */
  plan: string | undefined;
  milliseconds: number;
}

/** Errors are asked for with all failures (RFC 9457), not as one sentence. */
export const ACCEPT = 'application/problem+json, application/json;q=0.9';

/** Server-Timing (https://www.w3.org/TR/server-timing/) as this service sends it. */
export function readCost(header: string | null): Pick<Cost, 'readUnits' | 'writeUnits' | 'plan'> {
  const units = (unit: string) => Number(new RegExp(`([\\d.]+) ${unit}`).exec(header ?? '')?.[1] ?? 0);
  return { readUnits: units('RRU'), writeUnits: units('WRU'), plan: /plan;desc="([^"]*)"/.exec(header ?? '')?.[1] };
}

/** Keeps what was read with its ETag, so that reading it again costs a unit (304). */
const MAX_KEPT = 100;

export interface SendOptions {
  /** The current token, if there is one. */
  token(): Promise<string | undefined>;
  onCost(cost: Cost): void;
  send?: typeof fetch;
}

/**
 * Sends requests with the token, and with the ETag of what was read before. What is thrown is a `RequestFailure`, or what an
 * `AbortSignal` throws.
 */
export function createSend({ token, onCost, send = (...request) => fetch(...request) }: SendOptions) {
  const kept = new Map<string, { etag: string; headers: Headers; text: string }>();

  /** Only what came whole: a request that is aborted leaves nothing. */
  async function keep(url: string, response: Response): Promise<void> {
    const { headers, status } = response;
    const etag = headers.get('etag');
    const isData = headers.get('content-type')?.startsWith('application/json');
    if (status !== 200 || etag === null || !isData) return;
    const text = await response.clone().text();
    kept.delete(url);
    kept.set(url, { etag, headers, text });
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  }

  return async function sendOne(request: Request): Promise<Response> {
    const { method, url } = request;
    const before = method === 'GET' && request.headers.get('accept') === ACCEPT ? kept.get(url) : undefined;
    const bearer = await token();
    if (bearer !== undefined) request.headers.set('authorization', `Bearer ${bearer}`);
    if (before) request.headers.set('if-none-match', before.etag);
    const start = performance.now();
    const response = await send(request).catch((error: unknown) => {
      if (request.signal.aborted) throw error;
      throw new RequestFailure(0, 'The service cannot be reached');
    });
    onCost({
      request: `${method} ${new URL(url).pathname}`,
      status: response.status,
      ...readCost(response.headers.get('server-timing')),
      milliseconds: performance.now() - start,
    });
    if (response.status === 304 && before) return new Response(before.text, { headers: before.headers });
    if (!response.ok) throw await failureOf(response);
    if (method === 'GET') await keep(url, response);
    return response;
  };
}
