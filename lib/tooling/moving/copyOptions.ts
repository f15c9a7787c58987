import { parseArgs } from 'node:util';
import { readParallel, readUrl } from './options.ts';
import { reasonOf, Stop } from './stop.ts';

const USAGE = `Usage: npm run copy -- --from <base URL> --to <base URL>
  --from-token, --to-token <token>  otherwise TOKEN, or OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET in the environment
  --state <file>    where a run that was cut off goes on; copy.json by default
  --follow          goes on with what changes at the source, until Ctrl-C
  --replace         the target may have users: they become as they are at the source; users whom the source lacks are deleted
  --parallel <n>    the maximum number of parallel requests; 16 by default`;

/** One of the two services. */
export interface SideSettings {
  url: string;
  token?: string;
}

export interface CopySettings {
  from: SideSettings;
  to: SideSettings;
  state: string;
  isFollowing: boolean;
  mayReplace: boolean;
  parallel: number;
}

function parsed(args: string[]) {
  try {
    const text = { type: 'string' } as const;
    const flag = { type: 'boolean' } as const;
    const tokens = { 'from-token': text, 'to-token': text };
    const options = { from: text, to: text, ...tokens, state: text, parallel: text, follow: flag, replace: flag };
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new Stop(`${reasonOf(error)}\n${USAGE}`);
  }
}

const side = (url: string | undefined, token: string | undefined): SideSettings => ({
  url: readUrl(url, USAGE),
  ...(token !== undefined && { token }),
});

/** @throws {Stop} with what is wrong, or with the usage */
export function readCopySettings(args: string[]): CopySettings {
  const options = parsed(args);
  const from = side(options.from, options['from-token']);
  const to = side(options.to, options['to-token']);
  if (from.url === to.url) throw new Stop('--from and --to are the same service');
  const { state = 'copy.json', follow: isFollowing = false, replace: mayReplace = false, parallel } = options;
  return { from, to, state, isFollowing, mayReplace, parallel: readParallel(parallel) };
}
