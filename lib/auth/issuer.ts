import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { unavailable } from '../errors.ts';

const ISSUER_TIMEOUT_MS = 3_000;

/** The part of an issuer's metadata that is used here. */
export interface Issuer {
  /** The issuer as its tokens name it: the configured URL, with or without a slash at the end. */
  name: string;
  /** Fetched when first needed and cached. Fetched again when a token names an unknown key. */
  keys: JWTVerifyGetKey;
}

const withoutSlash = (url: string): string => url.replace(/\/$/, '');

/** Does not follow redirects: neither the metadata nor the keys may come from elsewhere. */
const fetchStrictly: typeof fetch = async (url, init) => {
  try {
    return await fetch(url, { ...init, redirect: 'error' });
  } catch (error) {
    throw unavailable(`${url} cannot be reached`, error);
  }
};

/** Keys must come over https. They may come over http if the issuer's URL does, such as an issuer on this machine. */
const isAsSecure = (url: string, issuer: string): boolean =>
  URL.canParse(url) && [new URL(issuer).protocol, 'https:'].includes(new URL(url).protocol);

/**
 * OpenID Connect Discovery 1.0, section 4: https://openid.net/specs/openid-connect-discovery-1_0.html
 *
 * @throws {ServiceError} 503 when the issuer does not respond within three seconds, or its metadata names another issuer
 */
export async function discover(issuer: string): Promise<Issuer> {
  const url = `${withoutSlash(issuer)}/.well-known/openid-configuration`;
  const response = await fetchStrictly(url, { signal: AbortSignal.timeout(ISSUER_TIMEOUT_MS) });
  if (!response.ok) throw unavailable(`${url} responded with ${response.status}`);
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
    keys: createRemoteJWKSet(new URL(keysUrl), { timeoutDuration: ISSUER_TIMEOUT_MS, [customFetch]: fetchStrictly }),
  };
}
