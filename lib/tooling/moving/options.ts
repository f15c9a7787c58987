import { Stop } from './stop.ts';

/**
 * The URL of a service, without a slash at its end.
 *
 * @throws {Stop} with the usage when it is not a URL
 */
export function readUrl(url: string | undefined, usage: string): string {
  if (url === undefined || !/^https?:\/\//.test(url) || !URL.canParse(url)) throw new Stop(usage);
  return url.replace(/\/+$/, '').replace(/\/api\/users$/, '');
}
