import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose';

const TIMEOUT_MS = 3_000;

/** What is needed of an issuer's metadata. */
export interface Issuer {
  /** As its tokens name it: the same as it was asked for, up to a slash at the end. */
  name: string;
  /** Fetched when first needed, kept, and fetched again when a token names a key that is not known. */
  keys: JWTVerifyGetKey;
}

const withoutSlash = (url: string): string => url.replace(/\/$/, '');

/**
 * OpenID Connect Discovery 1.0, section 4: https://openid.net/specs/openid-connect-discovery-1_0.html
 *
 * @throws {Error} when the issuer does not answer within three seconds, or answers for another one
 */
export async function discover(issuer: string): Promise<Issuer> {
  const url = `${withoutSlash(issuer)}/.well-known/openid-configuration`;
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const metadata: unknown = await response.json();
  const { issuer: name, jwks_uri: keysUrl } = metadata as Partial<Record<string, unknown>>;
  if (typeof name !== 'string' || withoutSlash(name) !== withoutSlash(issuer) || typeof keysUrl !== 'string') {
    throw new Error(`${url} is not the metadata of ${issuer}`);
  }
  return { name, keys: createRemoteJWKSet(new URL(keysUrl), { timeoutDuration: TIMEOUT_MS }) };
}
