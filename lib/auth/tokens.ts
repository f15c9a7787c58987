import { errors, type JWTPayload, jwtVerify } from 'jose';
import { unavailable } from '../errors.ts';
import { discover, type Issuer } from './issuer.ts';
import type { TokenRules } from './settings.ts';

/** What a token says of its bearer. */
export interface Caller {
  /** Its `sub`: a person or a program, unique to the issuer. */
  subject: string;
  scopes: ReadonlySet<string>;
  /** Seconds since 1970-01-01T00:00:00Z. */
  expires: number;
}

export class InvalidToken extends Error {
  override readonly name = 'InvalidToken';
}

/** Signatures that need no secret in common with the issuer. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** How far the clocks of issuer and service may be apart. */
const CLOCK_TOLERANCE_S = 5;

/** Failures to get the keys; all others are of the token. */
const isIssuerFailure = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) ||
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  error.code === errors.JOSEError.code;

const words = (claim: unknown): string[] =>
  typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim.map(String) : [];

/** `scope` in RFC 8693, section 4.2; `scp` for Okta and Microsoft Entra. */
function scopesOf(claims: JWTPayload, prefix: string): Set<string> {
  const named = [...words(claims.scope), ...words(claims.scp)].filter((scope) => scope.startsWith(prefix));
  return new Set(named.map((scope) => scope.slice(prefix.length)));
}

function isMadeOutTo({ aud, client_id: client }: JWTPayload, audiences: readonly string[]): boolean {
  const named = aud === undefined ? [client] : [aud].flat();
  return named.some((name) => typeof name === 'string' && audiences.includes(name));
}

/**
 * Verifies access tokens of one issuer: JSON Web Tokens (RFC 7519) as RFC 9068 profiles them, and those of issuers that
 * leave out `aud`. The issuer is asked for its keys once; after a failure the next token asks again.
 *
 * @returns a function that throws `InvalidToken`, or `ServiceError` 503 when the issuer cannot be reached
 */
export function createTokenVerifier({ issuer, audiences, scopePrefix }: TokenRules) {
  let discovered: Promise<Issuer> | undefined;

  async function claimsOf(token: string): Promise<JWTPayload> {
    try {
      discovered ??= discover(issuer);
      const { name, keys } = await discovered;
      const options = { issuer: name, algorithms: ALGORITHMS, clockTolerance: CLOCK_TOLERANCE_S };
      return (await jwtVerify(token, keys, { ...options, requiredClaims: ['sub', 'exp'] })).payload;
    } catch (error) {
      if (!isIssuerFailure(error)) throw new InvalidToken('The token is not valid', { cause: error });
      discovered = undefined;
      throw unavailable(`The keys of ${issuer} cannot be read`, error);
    }
  }

  return async (token: string): Promise<Caller> => {
    const claims = await claimsOf(token);
    if (!isMadeOutTo(claims, audiences)) throw new InvalidToken('The token is made out to another audience');
    return {
      subject: String(claims.sub),
      scopes: scopesOf(claims, scopePrefix),
      expires: Number(claims.exp) + CLOCK_TOLERANCE_S,
    };
  };
}
