import { wholeOf } from '../../lib/rest/tokens/index.ts';
import { Stop } from './stop.ts';

/** The largest response of a service is the program of its page of documentation, which has 1.5 MB. */
const MAX_BYTES = 16_000_000;

/** Follows no redirect: users and tokens go to nobody but the service that was named. */
const send: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' });

const toItsEnd = (response: Response): Promise<Response> =>
  wholeOf(response, MAX_BYTES).catch((error) => {
    throw error instanceof RangeError ? new Stop(error.message) : error;
  });

/** A response that is read to its end. @throws {Stop} when it is too long: no service fills the memory, nor is asked again */
export const sendWhole: typeof fetch = async (input, init) => toItsEnd(await send(input, init));

/** The same, but a stream that begins well is left to its reader. */
export const sendForStream: typeof fetch = async (input, init) => {
  const response = await send(input, init);
  return response.ok ? response : toItsEnd(response);
};
