import { Stop } from './stop.ts';

const DEFAULT_PARALLEL = 16;
const MAX_PARALLEL = 256;

/**
 * The URL of a service, without a slash at its end.
 *
 * @throws {Stop} with the usage when there is none, and with what is missing when it is no URL
 */
export function readUrl(url: string | undefined, usage: string): string {
  if (url === undefined || url === '') throw new Stop(usage);
  if (!/^https?:\/\//i.test(url)) {
    const scheme = /^(localhost|127\.|\[)/.test(url) ? 'http' : 'https';
    throw new Stop(
      `The URL ${url} lacks http:// or https:// at its beginning, such as ${scheme}://${url.replace(/^.*:\/\//, '')}`,
    );
  }
  if (!URL.canParse(url)) throw new Stop(`${url} is not a URL`);
  return url
    .replace(/[?#].*$/, '')
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\/api\/users$/, '');
}

/** The maximum number of parallel requests. @throws {Stop} when it is not one */
export function readParallel(given: string | undefined): number {
  const limit = Number(given ?? DEFAULT_PARALLEL);
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= MAX_PARALLEL)) {
    throw new Stop(`--parallel must be an integer from 1 to ${MAX_PARALLEL}`);
  }
  return limit;
}
