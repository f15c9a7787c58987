import { NO_ISSUER } from '../../lib/auth/settings.ts';
import { optionalVariable, requiredVariable } from '../../lib/runtime.ts';
import { printable, Stop } from '../import/stop.ts';

const TOKEN_TIMEOUT_MS = 10_000;

async function readJson(url: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TOKEN_TIMEOUT_MS) });
  const { status } = response;
  const sentence = `${url} responded with ${status}`;
  if (status >= 500 || status === 408 || status === 429) throw new Error(sentence);
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  // https://www.rfc-editor.org/rfc/rfc6749#section-5.2
  const reasons = [sentence, body.error, body.error_description].filter((each) => typeof each === 'string');
  if (!response.ok) throw new Stop(printable(reasons.join(': ')));
  return body;
}

/** The client credentials grant (RFC 6749, section 4.4). Auth0 also wants the audience, and Entra a scope that stands for all of them. */
async function requestToken(clientId: string): Promise<string> {
  const issuer = requiredVariable('OIDC_ISSUER').replace(/\/$/, '');
  const { token_endpoint: endpoint } = await readJson(`${issuer}/.well-known/openid-configuration`);
  const [id, secret] = [clientId, requiredVariable('OIDC_CLIENT_SECRET')].map(encodeURIComponent);
  const credentials = Buffer.from(`${id}:${secret}`).toString('base64');
  const prefix = optionalVariable('OIDC_SCOPE_PREFIX') ?? '';
  const [audience] = (optionalVariable('OIDC_AUDIENCE') ?? '').split(/[\s,]+/);
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    scope: optionalVariable('OIDC_CLIENT_SCOPE') ?? `${prefix}users:read ${prefix}users:write ${prefix}users:audit`,
    ...(audience && { audience }),
  });
  const headers = { authorization: `Basic ${credentials}` };
  const { access_token: token } = await readJson(String(endpoint), { method: 'POST', headers, body: form });
  if (typeof token !== 'string') throw new Stop(`${endpoint} responded without an access token`);
  return token;
}

/**
 * The access token in TOKEN, or one that the issuer gives to the client OIDC_CLIENT_ID. Undefined if neither is set, or there is no issuer.
 *
 * @throws {Stop} when the issuer refuses the client: it would refuse it again
 */
export async function findToken(): Promise<string | undefined> {
  const clientId = optionalVariable('OIDC_ISSUER') === NO_ISSUER ? undefined : optionalVariable('OIDC_CLIENT_ID');
  return optionalVariable('TOKEN') ?? (clientId === undefined ? undefined : requestToken(clientId));
}
