import type { Runtime } from '../../runtime.ts';
import { retryAfterMs } from './sendUser.ts';
import { Stop } from './stop.ts';

const MAX_TRIES = 6;
const FIRST_PAUSE_MS = 500;

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/**
 * Reads something, again while the service asks for a pause.
 *
 * @throws {Stop} when it is answered otherwise
 */
export async function ask<Data>(
  request: () => Promise<Answer<Data>>,
  { now, sleep }: Pick<Runtime, 'now' | 'sleep'>,
): Promise<{ data: NonNullable<Data>; headers: Headers }> {
  for (let tries = 1; ; tries++) {
    const { data, error, response } = await request();
    if (response.ok && data !== undefined && data !== null) return { data, headers: response.headers };
    const isPassing = response.status === 429 || response.status === 503;
    if (!isPassing || tries === MAX_TRIES) {
      const message = (error as { message?: unknown } | undefined)?.message;
      throw new Stop(`The service answered ${response.status}${message === undefined ? '' : `: ${message}`}`);
    }
    await sleep(retryAfterMs(response.headers, now()) ?? FIRST_PAUSE_MS * 2 ** tries);
  }
}
