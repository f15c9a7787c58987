import type { JWTHeaderParameters, JWTPayload } from 'jose';

/**
 * Types of access tokens: `at+jwt` (RFC 9068, section 2.1), `Bearer`, which Keycloak writes into the claim `typ`, or a plain JWT, which does not say
 * its kind. Tokens for other uses have types of their own (RFC 8725, section 3.11). A media type may be written in full (RFC 7515, section 4.1.9).
 */
const TYPES = /^(?:application\/)?(?:(at\+jwt|bearer)|jwt)$/i;

/** Claims of identity tokens: OpenID Connect Core, sections 2 and 3.3.2.11. */
const OF_IDENTITY = ['nonce', 'at_hash', 'c_hash'];

/** The type of a token: of an access token, of any token, or another one. */
function kindOf(type: unknown): 'access' | 'any' | 'other' {
  const found = typeof type === 'string' ? TYPES.exec(type) : null;
  if (!found) return 'other';
  return found[1] === undefined ? 'any' : 'access';
}

/**
 * Whether a token is meant for a service. Its issuer signs others with the same keys, some of them for the same audience: identity tokens,
 * which tell an app who has signed in, refresh tokens, which live for long, and logout tokens, which have `events` (RFC 8417, section 2.2).
 */
export function isAccessToken({ typ = 'JWT' }: JWTHeaderParameters, claims: JWTPayload): boolean {
  // Keycloak names the kind in the claim `typ`: `Bearer`, or `Refresh`, `Offline`, `Logout`, `ID`. Amazon Cognito does so in `token_use`.
  const { typ: claimed = 'JWT', token_use: use = 'access', events } = claims;
  const kinds = [kindOf(typ), kindOf(claimed)];
  if (kinds.includes('other') || use !== 'access' || events !== undefined) return false;
  // Access tokens of Keycloak before version 25, and of Azure AD B2C, have a nonce, too.
  const saysAccess = kinds.includes('access') || claims.scp !== undefined;
  return saysAccess || OF_IDENTITY.every((claim) => claims[claim] === undefined);
}
