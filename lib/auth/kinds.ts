import type { JWTHeaderParameters, JWTPayload } from 'jose';

/**
 * `at+jwt` (RFC 9068, section 2.1), or a plain JWT, which does not say its kind. Tokens for other uses have types of their own (RFC 8725,
 * section 3.11). A media type may be written in full (RFC 7515, section 4.1.9).
 */
const TYPES = /^(?:application\/)?(at\+)?jwt$/i;

/** Claims of identity tokens: OpenID Connect Core, sections 2 and 3.3.2.11. */
const OF_IDENTITY = ['nonce', 'at_hash', 'c_hash'];

/**
 * Whether a token is meant for a service. Its issuer signs others with the same keys, some of them for the same audience: identity tokens,
 * which tell an app who has signed in, and logout tokens, which have `events` (RFC 8417, section 2.2).
 */
export function isAccessToken({ typ = 'JWT' }: JWTHeaderParameters, claims: JWTPayload): boolean {
  const type = typeof typ === 'string' ? TYPES.exec(typ) : null;
  // Keycloak names the kind in the claim `typ`, Amazon Cognito in `token_use`.
  const kinds = [claims.typ, claims.token_use].map((kind) => String(kind).toLowerCase());
  if (!type || claims.events !== undefined || kinds.includes('id')) return false;
  // Access tokens of Keycloak before version 25, and of Azure AD B2C, have a nonce, too.
  const saysAccess = type[1] !== undefined || kinds[0] === 'bearer' || claims.scp !== undefined;
  return saysAccess || OF_IDENTITY.every((claim) => claims[claim] === undefined);
}
