import { failureOf, RequestFailure } from './failure.ts';

/** What one request cost. */
export interface Cost {
  request: string;
  status: number;
  /** DynamoDB's read and write request units. */
  readUnits: number;
  writeUnits: number;
  /** Where a list came from: `warm`, or what was loaded for it. */
  replica: string | undefined;
  milliseconds: number;
}

/** Errors are asked for with all failures (RFC 9457), not as one sentence. */
export const ACCEPT = 'application/problem+json, application/json;q=0.9';

/** Server-Timing (https://www.w3.org/TR/server-timing/) as this service sends it. */
export function readCost(header: string | null): Pick<Cost, 'readUnits' | 'writeUnits' | 'replica'> {
  const units = (unit: string) => Number(new RegExp(`([\\d.]+) ${unit}`).exec(header ?? '')?.[1] ?? 0);
  const replica = /replica;desc="([^"]*)"/.exec(header ?? '')?.[1];
  return { readUnits: units('RRU'), writeUnits: units('WRU'), replica };
}

export interface SendOptions {
  /** The current token, if there is one. */
  token(): Promise<string | undefined>;
  onCost(cost: Cost): void;
  send?: typeof fetch;
}

/**
 * Sends requests with the token. What is thrown is a `RequestFailure`, or what an `AbortSignal` throws. The browser itself asks with
 * the ETag of what it has, so reading that again costs a unit (304).
 */
export function createSend({ token, onCost, send = (...request) => fetch(...request) }: SendOptions) {
  return async function sendOne(request: Request): Promise<Response> {
    const bearer = await token();
    if (bearer !== undefined) request.headers.set('authorization', `Bearer ${bearer}`);
    const start = performance.now();
    const response = await send(request).catch((error: unknown) => {
      if (request.signal.aborted) throw error;
      throw new RequestFailure(0, 'The service cannot be reached');
    });
    onCost({
      request: `${request.method} ${new URL(request.url).pathname}`,
      status: response.status,
      ...readCost(response.headers.get('server-timing')),
      milliseconds: performance.now() - start,
    });
    if (!response.ok) throw await failureOf(response);
    return response;
  };
}
