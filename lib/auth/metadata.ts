import { unavailable } from '../errors.ts';

export const ISSUER_TIMEOUT_MS = 3_000;

/** The part of an issuer's metadata that is used here. */
export interface Metadata {
  /** The issuer as its tokens name it: the configured URL, with or without a slash at the end. */
  issuer: string;
  jwks_uri: string;
  authorization_endpoint?: string;
  token_endpoint?: string;
  end_session_endpoint?: string;
}

const withoutSlash = (url: string): string => url.replace(/\/$/, '');

/** Does not follow redirects: neither the metadata nor the keys may come from elsewhere. */
export const fetchStrictly: typeof fetch = async (url, init) => {
  try {
    return await fetch(url, { ...init, redirect: 'error' });
  } catch (error) {
    throw unavailable(`${url} cannot be reached`, error);
  }
};

/** Keys and tokens must come over https. They may come over http if the issuer's URL does, such as an issuer on this machine. */
const isAsSecure = (url: unknown, issuer: string): url is string =>
  typeof url === 'string' && URL.canParse(url) && [new URL(issuer).protocol, 'https:'].includes(new URL(url).protocol);

/**
 * OpenID Connect Discovery 1.0, section 4: https://openid.net/specs/openid-connect-discovery-1_0.html
 *
 * @throws {ServiceError} 503 when the issuer does not respond within three seconds, or not with the metadata of this issuer
 */
export async function readMetadata(issuer: string): Promise<Metadata> {
  const url = `${withoutSlash(issuer)}/.well-known/openid-configuration`;
  const response = await fetchStrictly(url, { signal: AbortSignal.timeout(ISSUER_TIMEOUT_MS) });
  if (!response.ok) throw unavailable(`${url} responded with ${response.status}`);
  const body: unknown = await response.json().catch((error: unknown) => {
    throw unavailable(`${url} did not respond with JSON`, error);
  });
  // Of null, too.
  const metadata: Partial<Record<string, unknown>> = Object(body);
  const { issuer: name, jwks_uri } = metadata;
  if (typeof name !== 'string' || withoutSlash(name) !== withoutSlash(issuer) || !isAsSecure(jwks_uri, issuer)) {
    throw unavailable(`${url} is not the metadata of ${issuer}`);
  }
  const others = ['authorization_endpoint', 'token_endpoint', 'end_session_endpoint'].flatMap((endpoint) =>
    isAsSecure(metadata[endpoint], issuer) ? [[endpoint, metadata[endpoint]]] : [],
  );
  return { ...Object.fromEntries(others), issuer: name, jwks_uri };
}
