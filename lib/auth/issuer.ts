import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { unavailable } from '../errors.ts';

const TIMEOUT_MS = 3_000;

/** What is needed of an issuer's metadata. */
export interface Issuer {
  /** As its tokens name it: the same as it was asked for, up to a slash at the end. */
  name: string;
  /** Fetched when first needed, kept, and fetched again when a token names a key that is not known. */
  keys: JWTVerifyGetKey;
}

const withoutSlash = (url: string): string => url.replace(/\/$/, '');

/** Neither keys nor where they are may come from elsewhere. */
const fetchStrictly: typeof fetch = async (url, init) => {
  try {
    return await fetch(url, { ...init, redirect: 'error' });
  } catch (error) {
    throw unavailable(`${url} cannot be reached`, error);
  }
};

/** As safe as the issuer itself: plain http is for issuers on this machine. */
const isAsSecure = (url: string, issuer: string): boolean =>
  URL.canParse(url) && [new URL(issuer).protocol, 'https:'].includes(new URL(url).protocol);

/**
 * OpenID Connect Discovery 1.0, section 4: https://openid.net/specs/openid-connect-discovery-1_0.html
 *
 * @throws {ServiceError} 503 when the issuer does not answer within three seconds, or answers for another one
 */
export async function discover(issuer: string): Promise<Issuer> {
  const url = `${withoutSlash(issuer)}/.well-known/openid-configuration`;
  const response = await fetchStrictly(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw unavailable(`${url} answered ${response.status}`);
  const metadata: unknown = await response.json();
  const { issuer: name, jwks_uri: keysUrl } = metadata as Partial<Record<string, unknown>>;
  if (
    typeof name !== 'string' ||
    withoutSlash(name) !== withoutSlash(issuer) ||
    typeof keysUrl !== 'string' ||
    !isAsSecure(keysUrl, issuer)
  ) {
    throw unavailable(`${url} is not the metadata of ${issuer}`);
  }
  return {
    name,
    keys: createRemoteJWKSet(new URL(keysUrl), { timeoutDuration: TIMEOUT_MS, [customFetch]: fetchStrictly }),
  };
}
