import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { fetchStrictly, ISSUER_TIMEOUT_MS, readMetadata } from './metadata.ts';

/** How long keys are not fetched again, in milliseconds: tokens with made-up keys must not cost the issuer a request each. */
const REST_MS = 5_000;

/** The issuer of tokens. */
export interface Issuer {
  /** The issuer as its tokens name it. */
  name: string;
  /** Fetched when first needed and cached. Fetched again when a token names an unknown key, after a rest. */
  keys: JWTVerifyGetKey;
}

/** @throws {ServiceError} 503 as `readMetadata` does */
export async function discover(issuer: string): Promise<Issuer> {
  const { issuer: name, jwks_uri: keysUrl } = await readMetadata(issuer);
  return {
    name,
    keys: createRemoteJWKSet(new URL(keysUrl), {
      timeoutDuration: ISSUER_TIMEOUT_MS,
      cooldownDuration: REST_MS,
      [customFetch]: fetchStrictly,
    }),
  };
}
