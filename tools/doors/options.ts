import { FLAG, readCommand, readUrl, required, TEXT, TEXTS } from '../program/options.ts';
import { isSecure } from '../program/secure.ts';
import { quoted, Stop } from '../program/stop.ts';
import { type DoorFolder, doorNames } from './doors.ts';

export const USAGE = `Usage: npm run door -- <name> --url http://localhost:3000 --port 3001 --token secret
       npm run door -- webhook --url http://localhost:3000 --to http://localhost:4000
       npm run door -- <name> --stage <stage> --deploy
  <name>              ${doorNames().join(', ')}
  --url <base URL>    the service behind the door; a deployment finds the address of its stage
  --port <port>       where the door listens on this machine, 3001 if not given
  --token <token>     what callers of the door present on this machine
  --to <URL>          where a door sends changes: https, or http on this machine
  --secret <whsec_…>  signs them on this machine; it makes one if not given
  --stage <stage>     the stage beside which the door is deployed
  --deploy            deploys it, in a stack of its own
  --package           builds what would be deployed, without AWS
  --as <name>         another name for its stack, where a door is deployed twice beside a stage
  --set <Name=value>  a parameter of its template, as often as needed
  --region <region>   otherwise as the AWS command line finds it, or eu-central-1
On this machine the door has its own token for the service from TOKEN, or from OIDC_ISSUER, OIDC_CLIENT_ID and
OIDC_CLIENT_SECRET. A deployment keeps secrets in Secrets Manager. It asks for them, or finds them in the environment.`;

const OPTIONS = {
  url: TEXT,
  port: TEXT,
  token: TEXT,
  to: TEXT,
  secret: TEXT,
  stage: TEXT,
  region: TEXT,
  as: TEXT,
  set: TEXTS,
  deploy: FLAG,
  package: FLAG,
} as const;

export interface DoorOptions {
  url?: string | undefined;
  port?: string | undefined;
  token?: string | undefined;
  to?: string | undefined;
  secret?: string | undefined;
  stage?: string | undefined;
  region?: string | undefined;
  as?: string | undefined;
  set?: string[] | undefined;
}

export const readOptions = () => readCommand(OPTIONS, USAGE);

export const urlIn = ({ url }: DoorOptions): string | undefined =>
  url === undefined ? undefined : readUrl(url, USAGE);

/** The parameters of `--set`. @throws {Stop} when one is not like Name=value, or is there twice */
export function parametersIn({ set = [] }: DoorOptions): Record<string, string> {
  const all = new Map<string, string>();
  for (const text of set) {
    const [, name, value] = /^(\w+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) throw new Stop(`--set takes Name=value, not ${text}`);
    if (name === 'to') throw new Stop('--set has to: give it as --to');
    if (all.has(name)) throw new Stop(`--set has ${name} twice`);
    all.set(name, value);
  }
  return Object.fromEntries(all);
}

/** Options of a door that is called, and of one that follows. */
const ONLY_CALLED = ['port', 'token'] as const;
const ONLY_FOLLOWER = ['to', 'secret'] as const;

/**
 * The address of `--to`, where a door has one.
 *
 * @throws {Stop} when it is missing or not safe, and for an option that another kind of door takes
 */
export function addressIn({ name, isFollower }: DoorFolder, options: DoorOptions): string | undefined {
  const other = (isFollower ? ONLY_CALLED : ONLY_FOLLOWER).find((each) => options[each] !== undefined);
  if (other !== undefined) throw new Stop(`Door ${name} takes no --${other}`);
  if (!isFollower) return undefined;
  const to = required('--to', options.to, USAGE);
  if (!isSecure(to, true)) throw new Stop(quoted(`--to must be https, or http on this machine, not ${to}`));
  const { href, username, password } = new URL(to);
  if (username || password) throw new Stop('--to has a name or password, which the signature makes needless');
  return href;
}

/** @throws {Stop} when `--as` could be no part of the names of a stack and of a folder */
export function checkName({ as = 'door' }: DoorOptions): void {
  if (!/^[a-z][a-z0-9-]{0,30}$/.test(as)) throw new Stop('--as takes small letters, digits and hyphens, 31 at most');
}
