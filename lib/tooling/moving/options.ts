import { Stop } from './stop.ts';

const DEFAULT_PARALLEL = 16;
const MAX_PARALLEL = 256;

/**
 * The URL of a service, without a slash at its end.
 *
 * @throws {Stop} with the usage when it is not a URL
 */
export function readUrl(url: string | undefined, usage: string): string {
  if (url === undefined || !/^https?:\/\//.test(url) || !URL.canParse(url)) throw new Stop(usage);
  return url.replace(/(?<!\/)\/+$/, '').replace(/\/api\/users$/, '');
}

/** The maximum number of parallel requests. @throws {Stop} when it is not one */
export function readParallel(given: string | undefined): number {
  const limit = Number(given ?? DEFAULT_PARALLEL);
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= MAX_PARALLEL)) {
    throw new Stop(`--parallel must be an integer from 1 to ${MAX_PARALLEL}`);
  }
  return limit;
}
