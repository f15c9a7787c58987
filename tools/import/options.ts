import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { reasonOf, Stop } from './stop.ts';

export const TEXT = { type: 'string' } as const;
export const TEXTS = { type: 'string', multiple: true } as const;
export const FLAG = { type: 'boolean', default: false } as const;

/** What a program was started with. @throws {Stop} with the usage when it has other options */
export function readOptions<const Options extends ParseArgsOptionsConfig>(options: Options, usage: string) {
  try {
    return parseArgs({ args: process.argv.slice(2), options }).values;
  } catch (error) {
    throw new Stop(`${reasonOf(error)}\n${usage}`);
  }
}

/**
 * The URL of a service, without a slash at its end.
 *
 * @throws {Stop} with the usage when there is none, and with what is missing when it is no URL
 */
export function readUrl(url: string | undefined, usage: string): string {
  if (!url) throw new Stop(usage);
  if (!/^https?:\/\//i.test(url)) throw new Stop(`The URL ${url} lacks http:// or https:// at its beginning`);
  if (!URL.canParse(url)) throw new Stop(`${url} is not a URL`);
  return url.replace(/[?#].*$/, '').replace(/(?<!\/)\/+(?:api\/users\/?)?$/, '');
}
