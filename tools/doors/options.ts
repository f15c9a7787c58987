import { FLAG, readCommand, readUrl, TEXT, TEXTS } from '../program/options.ts';
import { Stop } from '../program/stop.ts';
import { doorNames } from './doors.ts';

export const USAGE = `Usage: npm run door -- <name> --url http://localhost:3000 --port 3001 --token secret
       npm run door -- <name> --stage <stage> --deploy
  <name>              ${doorNames().join(', ')}
  --url <base URL>    the service behind the door; a deployment finds the address of its stage
  --port <port>       where the door listens on this machine, 3001 if not given
  --token <token>     what callers of the door present on this machine
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
    if (all.has(name)) throw new Stop(`--set has ${name} twice`);
    all.set(name, value);
  }
  return Object.fromEntries(all);
}
