import { NO_ISSUER } from '../../lib/auth/settings.ts';
import type { AuthenticationSettings } from '../deploy/authentication.ts';
import { EVERYWHERE } from './visitors.ts';

interface Running {
  stage: string;
  host: string;
  port: number;
  /** Where the data are. */
  place: string;
  authentication: AuthenticationSettings;
  historyDays: number;
  /** To which changes are appended. */
  eventsFile: string | undefined;
}

function urlOf({ host, port }: Running): string {
  const name = EVERYWHERE.includes(host) ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}/api`;
}

function tokensFor({ stage, authentication: { issuer, audience, mayBeOpen } }: Running): string[] {
  if (!['', NO_ISSUER].includes(issuer)) return [`Callers need a token of ${issuer} for ${audience}.`, ''];
  const wayIn = 'with OIDC_ISSUER and OIDC_AUDIENCE, callers need a token, as they do when it is deployed';
  return mayBeOpen ? [] : [`Stage ${stage} is open to all, because this is local: ${wayIn}.`, ''];
}

/** What to do with a service that has just begun. */
export function greeting(running: Running): string {
  const { port, place, historyDays, eventsFile } = running;
  const url = urlOf(running);
  const tokens = tokensFor(running);
  const token = tokens[0]?.startsWith('Callers') ? '-H "Authorization: Bearer $TOKEN" ' : '';
  return [
    '',
    `Users are served at ${url}/users (data ${place}). Try:`,
    '',
    `  npm run seed${port === 3000 ? '' : ` -- --port ${port}`}`,
    `  curl -s ${token}${url}/users`,
    '',
    `or open ${url}/admin in a browser, or ${url}/docs.`,
    '',
    ...tokens,
    ...(historyDays > 0
      ? [`Changes are at ${url}/users/changes${eventsFile ? `, and are appended to ${eventsFile}` : ''}.`, '']
      : []),
  ].join('\n');
}
