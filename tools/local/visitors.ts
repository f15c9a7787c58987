import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { LOOPBACK } from '../program/secure.ts';
import type { GatewayResponse } from './gatewayResponses.ts';

/** The host on which the service listens, and the origins whose pages may call it, as in CORS_ORIGINS. */
export type Doors = Record<'host' | 'origins', string>;

/** With one of these as its host, the service is called by any address of the machine, or by the name of a container. */
export const EVERYWHERE = ['0.0.0.0', '::'];

/** A page of the web has none of these names: public DNS has no single words, and nothing below .internal. */
const isPrivate = (name: string): boolean =>
  name.startsWith('[') || isIP(name) !== 0 || /^[^.]+$|\.internal$/.test(name);

const parsed = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined);

/** A page can let its own name lead to this machine. The browser then takes the service for a part of its site (DNS rebinding). */
function isOwnName(name: string, host: string): boolean {
  if (LOOPBACK.includes(name)) return true;
  return EVERYWHERE.includes(host) ? isPrivate(name) : [host.toLowerCase(), `[${host}]`].includes(name);
}

/**
 * Whether a page of another origin makes the request. A page can send some requests without asking first, such as a POST without a media
 * type, and load what it cannot read. To follow a link, or to come back from an issuer, is allowed.
 * https://www.w3.org/TR/fetch-metadata/
 */
function isOfOtherPage({ method, headers }: IncomingMessage): boolean {
  const { origin, host = '', 'sec-fetch-site': site, 'sec-fetch-dest': target } = headers;
  if (site === 'same-origin') return false;
  if (origin !== undefined) return parsed(origin)?.host !== parsed(`http://${host}`)?.host;
  return site === 'cross-site' && !(method === 'GET' && target === 'document');
}

function refusal(status: number, message: string): GatewayResponse {
  const body = JSON.stringify({ status, message });
  return { ResponseType: 'LOCAL', StatusCode: String(status), ResponseTemplates: { 'application/json': body } };
}

const OTHER_NAME = refusal(421, 'The local service does not have this name: start it with --host and the name');
const OTHER_ORIGIN = refusal(403, 'The local service does not answer this page: name its origin in CORS_ORIGINS');

/** The response to a request that does not come from a program or a page of this machine. Undefined if it does. */
export function turnAway({ host, origins }: Doors, request: IncomingMessage): GatewayResponse | undefined {
  const { host: asked, origin = '' } = request.headers;
  if (asked !== undefined && !isOwnName(parsed(`http://${asked}`)?.hostname ?? '', host)) return OTHER_NAME;
  const allowed = origins.split(/[\s,]+/);
  const isAllowed = allowed.includes('*') || (origin !== '' && allowed.includes(origin));
  return !isAllowed && isOfOtherPage(request) ? OTHER_ORIGIN : undefined;
}
