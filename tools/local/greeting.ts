import { optionalVariable } from '../../lib/ground/index.ts';
import { NO_ISSUER } from '../../lib/rest/tokens/index.ts';
import type { Serverless } from '../deploy/framework.ts';
import { EVERYWHERE } from './visitors.ts';
import { onPort } from './workFolder.ts';

type Service = Pick<Serverless['service'], 'custom' | 'provider'>;

/** The issuer whose tokens callers need, or why they need none where a deployed stage has an issuer. */
function sayTokens({ custom, provider: { stage } }: Service): string[] {
  const { issuer, audience, mayBeOpen } = custom.authentication;
  if (!['', NO_ISSUER].includes(issuer)) return [`Callers need a token of ${issuer} for ${audience}.`];
  return mayBeOpen ? [] : [`No token is needed, because this is local. Deployed, stage ${stage} needs an issuer.`];
}

function sayChanges({ custom }: Service, url: string): string[] {
  const file = optionalVariable('EVENTS_FILE');
  const isKept = Number(custom.events.historyDays) > 0;
  return isKept ? [`Changes are at ${url}/users/changes${file ? `, and are appended to ${file}` : ''}.`] : [];
}

/** Commands to try on a service that has just started. @param place of its data */
export function greeting(service: Service, host: string, port: number, place: string): string {
  const name = EVERYWHERE.includes(host) ? 'localhost' : host;
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}/api`;
  const option = onPort(port);
  return [
    `\nUsers are served at ${url}/users (data ${place}). Try:`,
    `  curl -s ${url}/users\n  npm run seed${option && ` --${option}`}`,
    `or open ${url}/admin in a browser, or ${url}/docs.`,
    ...sayTokens(service),
    ...sayChanges(service, url),
    '',
  ].join('\n\n');
}
