import { optionalVariable, requiredVariable } from '../../lib/ground/index.ts';
import { NO_ISSUER, readMetadata } from '../../lib/rest/tokens/index.ts';
import { isSecure } from './secure.ts';
import { sendWhole } from './send.ts';
import { quoted, Stop } from './stop.ts';
import { checkedToken } from './tokenFile.ts';

const TOKEN_TIMEOUT_MS = 10_000;

/** A secret goes only where nobody else can read it. @throws {Stop} */
function secure(name: string, given: string): string {
  if (isSecure(given, true)) return new URL(given).href;
  throw new Stop(quoted(`${name} must be an https URL, not ${given}`));
}

/** @throws {Error} when the issuer has no time, and {Stop} when it refuses */
async function post(url: string, headers: Record<string, string>, body: URLSearchParams): Promise<unknown> {
  const signal = AbortSignal.timeout(TOKEN_TIMEOUT_MS);
  const response = await sendWhole(url, { method: 'POST', headers, body, signal });
  const { status } = response;
  const sentence = `${url} responded with ${status}`;
  if (status >= 500 || status === 408 || status === 429) throw new Error(sentence);
  const content: Record<string, unknown> = Object(await response.json().catch(() => undefined));
  // https://www.rfc-editor.org/rfc/rfc6749#section-5.2
  const reasons = [sentence, content.error, content.error_description].filter((each) => typeof each === 'string');
  if (!response.ok) throw new Stop(quoted(reasons.join(': ')));
  return content.access_token;
}

/** The client credentials grant (RFC 6749, section 4.4). Auth0 also wants the audience, and Entra a scope that stands for all of them. */
async function requestToken(clientId: string): Promise<string> {
  const issuer = secure('OIDC_ISSUER', requiredVariable('OIDC_ISSUER'));
  // As the service reads it: the issuer itself answers, and says its name.
  const { token_endpoint } = await readMetadata(issuer);
  const endpoint = secure(`The token endpoint of ${issuer}`, String(token_endpoint));
  const [id, secret] = [clientId, requiredVariable('OIDC_CLIENT_SECRET')].map(encodeURIComponent);
  const credentials = Buffer.from(`${id}:${secret}`).toString('base64');
  const prefix = optionalVariable('OIDC_SCOPE_PREFIX') ?? '';
  const [audience] = (optionalVariable('OIDC_AUDIENCE') ?? '').split(/[\s,]+/);
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    scope: optionalVariable('OIDC_CLIENT_SCOPE') ?? `${prefix}users:read ${prefix}users:write ${prefix}users:audit`,
    ...(audience && { audience }),
  });
  const token = await post(endpoint, { authorization: `Basic ${credentials}` }, form);
  if (typeof token !== 'string') throw new Stop(`${endpoint} responded without an access token`);
  return checkedToken(token, endpoint);
}

/**
 * The access token in TOKEN, or one that the issuer gives to the client OIDC_CLIENT_ID. Undefined if neither is set, or there is no issuer.
 *
 * @throws {Stop} when the issuer refuses the client: it would refuse it again
 */
export async function findToken(): Promise<string | undefined> {
  const token = optionalVariable('TOKEN');
  if (token !== undefined) return checkedToken(token, 'TOKEN');
  const clientId = optionalVariable('OIDC_ISSUER') === NO_ISSUER ? undefined : optionalVariable('OIDC_CLIENT_ID');
  return clientId === undefined ? undefined : requestToken(clientId);
}
