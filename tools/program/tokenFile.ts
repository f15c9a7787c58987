import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { TEXT } from './options.ts';
import { reasonOf, Stop } from './stop.ts';

/** Options of a program that calls a service. `--token` is known only to be refused. */
export const TOKEN_OPTIONS = { 'token-file': TEXT, token: TEXT } as const;

export const TOKEN_USAGE = `--token-file <file>  the file of a token, or - for standard input; otherwise TOKEN, or OIDC_ISSUER,
                       OIDC_CLIENT_ID and OIDC_CLIENT_SECRET in the environment`;

const NO_TOKEN_OPTION =
  '--token is refused: npm prints it and keeps it in its log. Use TOKEN in the environment, --token-file <file>, or --token-file - for standard input';

/** The characters that a header can have (RFC 6750, section 2.1). The message of fetch about any other would show the token. */
const TOKEN = /^[\x21-\x7E]+$/;

/** @throws {Stop} when a text is no token */
export function checkedToken(content: string, source: string): string {
  const token = content.trim();
  if (!TOKEN.test(token)) throw new Stop(`${source} has no token, or more than a token`);
  return token;
}

/**
 * The token in the file of `--token-file`. Undefined without that option.
 *
 * @throws {Stop} for `--token`, and when there is no token in the file
 */
export async function tokenIn(options: { 'token-file'?: string; token?: string }): Promise<string | undefined> {
  const file = options['token-file'];
  if (options.token !== undefined) throw new Stop(NO_TOKEN_OPTION);
  if (file === undefined) return undefined;
  const read = file === '-' ? text(process.stdin) : readFile(file, 'utf8');
  const content = await read.catch((error) => {
    throw new Stop(`The token cannot be read: ${reasonOf(error)}`);
  });
  return checkedToken(content, file === '-' ? 'Standard input' : file);
}
