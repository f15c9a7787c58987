import { unavailable } from '../../ground/index.ts';
import { wholeOf } from './whole.ts';

/** How long the issuer may take to respond at the first and at the second try, in milliseconds. All calls of an authorizer end in its time. */
const TRIES_MS = [1_000, 3_000] as const;

/** The time of all tries, and a little for what is between them. */
export const ISSUER_TIMEOUT_MS = 4_500;

/** Metadata and keys have some kilobytes. */
const MAX_BYTES = 1_000_000;

/** The part of an issuer's metadata that is used here. */
export interface Metadata {
  /** The issuer as its tokens name it: the configured URL, with or without a slash at the end. */
  issuer: string;
  jwks_uri: string;
  authorization_endpoint?: string;
  token_endpoint?: string;
  end_session_endpoint?: string;
  /** How ID tokens are signed. Absent: as `RS256`. */
  id_token_signing_alg_values_supported?: string[];
}

const withoutSlash = (url: string): string => url.replace(/\/$/, '');

/** The whole response, so that a connection that dies in the middle of it counts as a failed try. */
async function readWithin(
  milliseconds: number,
  url: Parameters<typeof fetch>[0],
  init: RequestInit,
): Promise<Response> {
  const ends = [AbortSignal.timeout(milliseconds), init.signal].filter((signal) => signal instanceof AbortSignal);
  return wholeOf(await fetch(url, { ...init, signal: AbortSignal.any(ends) }), MAX_BYTES);
}

/**
 * Does not follow redirects: neither the metadata nor the keys may come from elsewhere. No connection is kept: while the container
 * is frozen it may be dropped without a word, and the next request would wait for nothing. Anything else may be lost as well, so a
 * request without a response is sent again.
 */
export const fetchStrictly: typeof fetch = async (url, init) => {
  const request: RequestInit = {
    ...init,
    headers: { ...Object.fromEntries(new Headers(init?.headers)), connection: 'close' },
    redirect: 'error',
  };
  try {
    return await readWithin(TRIES_MS[0], url, request).catch(() => readWithin(TRIES_MS[1], url, request));
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
 * @throws {ServiceError} 503 when the issuer does not respond in time at the second try, or not with the metadata of this issuer
 */
export async function readMetadata(issuer: string): Promise<Metadata> {
  const url = `${withoutSlash(issuer)}/.well-known/openid-configuration`;
  const response = await fetchStrictly(url);
  if (!response.ok) throw unavailable(`${url} responded with ${response.status}`);
  const body: unknown = await response.json().catch((error: unknown) => {
    throw unavailable(`${url} did not respond with JSON`, error);
  });
  // Of null, too.
  const metadata: Partial<Record<string, unknown>> = Object(body);
  const { issuer: name, jwks_uri, id_token_signing_alg_values_supported: signed } = metadata;
  if (typeof name !== 'string' || withoutSlash(name) !== withoutSlash(issuer) || !isAsSecure(jwks_uri, issuer)) {
    throw unavailable(`${url} is not the metadata of ${issuer}`);
  }
  const others = ['authorization_endpoint', 'token_endpoint', 'end_session_endpoint'].flatMap((endpoint) =>
    isAsSecure(metadata[endpoint], issuer) ? [[endpoint, metadata[endpoint]]] : [],
  );
  const algorithms = Array.isArray(signed) && { id_token_signing_alg_values_supported: signed.map(String) };
  return { ...Object.fromEntries(others), ...algorithms, issuer: name, jwks_uri };
}
