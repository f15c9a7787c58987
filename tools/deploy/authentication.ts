import { ROUTES } from '../../lib/http/routes.ts';
import { needsToken } from '../../lib/rest/index.ts';
import { NO_ISSUER } from '../../lib/rest/tokens/index.ts';
import { isSecure } from '../program/secure.ts';
import { type HttpTrigger, type Triggered, toObject, UNKNOWN_ROUTE } from './triggers.ts';

export const AUTHORIZER = 'authorizer';

export interface AuthenticationSettings {
  issuer: string;
  audience: string;
  /** Whether the stage may be deployed without an issuer. */
  mayBeOpen: boolean;
  cacheSeconds: number;
}

/** Why tokens cannot be checked with these settings, in one sentence. Undefined if they can. */
export function refusalOfTokens(
  { issuer, audience }: { issuer: string; audience: string },
  isLocal: boolean,
): string | undefined {
  const also = isLocal ? ', or an http URL of this machine' : '';
  if (!isSecure(issuer, isLocal)) return `OIDC_ISSUER must be an https URL${also}, not ${issuer}.`;
  return audience === '' ? 'Set OIDC_AUDIENCE to what your tokens are made out to, their "aud".' : undefined;
}

/**
 * Why a stage cannot be deployed with these settings, in one sentence. Undefined if it can. A stage without authentication
 * must be asked for explicitly, and some stages do not allow it.
 */
export function refusalOf(stage: string, settings: Omit<AuthenticationSettings, 'cacheSeconds'>): string | undefined {
  const { issuer, mayBeOpen } = settings;
  if (issuer === NO_ISSUER && mayBeOpen) return undefined;
  const wayOut = mayBeOpen ? `, or deploy with OIDC_ISSUER=${NO_ISSUER} to let everyone in` : '';
  if (issuer === '' || issuer === NO_ISSUER) {
    return `Stage ${stage} needs authentication: set OIDC_ISSUER to the URL of the issuer of your tokens${wayOut}.`;
  }
  return refusalOfTokens(settings, false);
}

/** The routes without a scope, and the catch-all for other methods and paths, which has no access to users. */
const isOpen = (functionName: string, { method, path }: HttpTrigger): boolean =>
  functionName === UNKNOWN_ROUTE ||
  ROUTES.some((route) => !needsToken(route) && route.path === path && route.method === method.replace('HEAD', 'GET'));

/** Puts the authorizer before every route except the open ones, so that a new route is not open by mistake. */
export function protect(functions: Record<string, Triggered>, cacheSeconds: number): void {
  const authorizer = {
    name: AUTHORIZER,
    type: 'token',
    identitySource: 'method.request.header.Authorization',
    identityValidationExpression: '^[Bb][Ee][Aa][Rr][Ee][Rr] +[^ ]+$',
    resultTtlInSeconds: cacheSeconds,
  };
  for (const [name, { events }] of Object.entries(functions)) {
    for (const event of events) {
      const http = event.http && toObject(event.http);
      if (http && !isOpen(name, http)) event.http = { ...http, authorizer };
    }
  }
}
