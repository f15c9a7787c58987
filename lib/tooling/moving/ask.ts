import type { Runtime } from '../../runtime.ts';
import type { Client, Connection } from './client.ts';
import { retryAfterMs } from './requests.ts';
import { Stop } from './stop.ts';

const MAX_REQUESTS = 6;
const FIRST_PAUSE_MS = 500;

interface ApiResult<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/**
 * Sends a request, again after a pause while the service is busy, and once with another token: one may expire during a long stream.
 *
 * @throws {Stop} when the service refuses it, or stays busy
 */
export async function ask<Data>(
  request: (client: Client) => Promise<ApiResult<Data>>,
  { client, token, renew }: Connection,
  { now, sleep }: Pick<Runtime, 'now' | 'sleep'>,
): Promise<{ data: NonNullable<Data>; headers: Headers }> {
  let isRenewed = false;
  for (let requests = 1; ; requests++) {
    const sent = token();
    const { data, error, response } = await request(client);
    if (response.ok && data !== undefined && data !== null) return { data, headers: response.headers };
    if (response.status === 401 && !isRenewed) {
      isRenewed = true;
      await renew(sent);
      continue;
    }
    const isTransient = response.status === 429 || response.status === 503;
    if (!isTransient || requests >= MAX_REQUESTS) {
      const message = (error as { message?: unknown } | undefined)?.message;
      throw new Stop(`The service responded with ${response.status}${message === undefined ? '' : `: ${message}`}`);
    }
    await sleep(retryAfterMs(response.headers, now()) ?? FIRST_PAUSE_MS * 2 ** requests);
  }
}
