import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { fetchStrictly, ISSUER_TIMEOUT_MS, readMetadata } from './metadata.ts';

/** Who signs tokens. */
export interface Issuer {
  /** The issuer as its tokens name it. */
  name: string;
  /** Fetched when first needed and cached. Fetched again when a token names an unknown key. */
  keys: JWTVerifyGetKey;
}

/** @throws {ServiceError} 503 as `readMetadata` does */
export async function discover(issuer: string): Promise<Issuer> {
  const { issuer: name, jwks_uri: keysUrl } = await readMetadata(issuer);
  return {
    name,
    keys: createRemoteJWKSet(new URL(keysUrl), { timeoutDuration: ISSUER_TIMEOUT_MS, [customFetch]: fetchStrictly }),
  };
}
