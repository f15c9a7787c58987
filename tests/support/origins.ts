import { exchange } from './httpService.ts';

/** The preflight of a PATCH. */
export const ASKS = { 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'x-other' };

/** The status of a response to a script from an origin, and the headers that tell browsers what the script may do. */
export async function seenFrom(
  origin: string,
  { url }: { url: string },
  method: string,
  path: string,
  headers: object = {},
) {
  const response = await exchange(url, method, path, { headers: { origin, ...headers } });
  const cors = [...response.headers].filter(([name]) => name.startsWith('access-control-'));
  return { status: response.status, ...Object.fromEntries(cors) };
}
