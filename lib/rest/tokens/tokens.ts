import { errors, type JWTPayload, type JWTVerifyOptions, type JWTVerifyResult, jwtVerify } from 'jose';
import { ServiceError, systemRuntime, unavailable } from '../../ground/index.ts';
import { discover, type Issuer } from './issuer.ts';
import { isAccessToken } from './kinds.ts';
import type { TokenRules } from './settings.ts';

/** The bearer of a token, as it says. */
export interface Caller {
  /** The `sub` claim, or the client's id: a person or a program. */
  subject: string;
  /** The name of the caller in the stage's claim. Absent if the stage names no claim, or the token has none that can be kept. */
  name?: string;
  scopes: ReadonlySet<string>;
  /** Seconds since 1970-01-01T00:00:00Z. */
  expires: number;
}

export class InvalidToken extends Error {
  override readonly name = 'InvalidToken';
}

/** Signatures with public keys. Others would need a secret shared with the issuer. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** How far the clocks of the issuer and the service may differ. */
const CLOCK_TOLERANCE_S = 5;

/** Whether the keys could not be read. The token causes all other failures. */
const isIssuerFailure = (error: unknown): boolean =>
  error instanceof ServiceError ||
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  (error instanceof errors.JOSEError && error.code === errors.JOSEError.code);

/** A thousand years, in seconds. A token that expires later never does. */
const LONGEST_S = 1_000 * 365.25 * 24 * 3_600;

/** OpenID Connect Core, section 2: no subject is longer. It is kept with each change. */
const MAX_SUBJECT = 255;

/** As that of a user: it is kept with each change, and shown. */
const MAX_NAME = 200;
/** A name has a character that shows something, and no control character. */
const SHOWN = /^(?=.*[^\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800])[^\p{Cc}]*$/u;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** A text of words with spaces between them, or a list of texts. Anything else names nothing. */
const wordsOf = (claim: unknown): string[] =>
  (typeof claim === 'string' ? claim.split(' ') : [claim].flat()).filter(isText);

/**
 * The rights of the app are `scope` in RFC 8693, section 4.2, and `scp` in tokens of Okta and Microsoft Entra. The rights of the person, or of a
 * program on its own, are `roles` in tokens of Entra. Where a token has both, both must allow it: an app does no more than its user may,
 * and a user no more through an app than the app may. Entra asks for scopes with a prefix, and leaves it out in `scp` and `roles`.
 */
function scopesOf({ scope, scp, roles }: JWTPayload, prefix: string): Set<string> {
  const plain = (name: string): string => (name.startsWith(prefix) ? name.slice(prefix.length) : name);
  const prefixed = wordsOf(scope).filter((name) => name.startsWith(prefix));
  const [ofApp, ofPerson] = [[...prefixed, ...wordsOf(scp)].map(plain), wordsOf(roles).map(plain)];
  if (scope === undefined && scp === undefined) return new Set(ofPerson);
  return new Set(roles === undefined ? ofApp : ofApp.filter((name) => ofPerson.includes(name)));
}

function isForAudience({ aud, client_id: client }: JWTPayload, audiences: readonly string[]): boolean {
  const named = aud === undefined ? [client] : [aud].flat();
  return named.some((name) => isText(name) && audiences.includes(name));
}

/** A name that cannot be kept keeps nobody out: it is left out. Lone surrogates cannot be stored. */
function nameIn(claims: JWTPayload, claim: string | undefined): string | undefined {
  const name = claim === undefined ? undefined : claims[claim];
  if (!isText(name) || name.length > MAX_NAME || !name.isWellFormed()) return undefined;
  return SHOWN.test(name) ? name : undefined;
}

/** A token may name no key (RFC 7515, section 4.1.4). Then each key that fits is tried. */
async function verifyWith(token: string, keys: Issuer['keys'], options: JWTVerifyOptions): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, keys, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      const verified = await jwtVerify(token, key, options).catch(() => undefined);
      if (verified) return verified;
    }
    throw error;
  }
}

/**
 * Verifies access tokens of one issuer: JSON Web Tokens (RFC 7519), as in RFC 9068 or without `aud`. The metadata of
 * the issuer is read once. After a failure the next token reads it again.
 *
 * @returns a function that throws `InvalidToken`, or `ServiceError` 503 when the issuer cannot be reached
 */
export function createTokenVerifier({ issuer, audiences, scopePrefix, nameClaim }: TokenRules) {
  let discovered: Promise<Issuer> | undefined;

  async function discoverOnce(): Promise<Issuer> {
    try {
      discovered ??= discover(issuer);
      return await discovered;
    } catch (error) {
      discovered = undefined;
      throw unavailable(`The metadata of ${issuer} cannot be read`, error);
    }
  }

  async function readVerified(token: string): Promise<JWTVerifyResult> {
    const { name, keys } = await discoverOnce();
    const options = { issuer: name, algorithms: ALGORITHMS, clockTolerance: CLOCK_TOLERANCE_S };
    try {
      return await verifyWith(token, keys, options);
    } catch (error) {
      if (isIssuerFailure(error)) throw unavailable(`The keys of ${issuer} cannot be read`, error);
      throw new InvalidToken('The token is not valid', { cause: error });
    }
  }

  return async (token: string): Promise<Caller> => {
    const { protectedHeader, payload: claims } = await readVerified(token);
    if (!isAccessToken(protectedHeader, claims)) throw new InvalidToken('The token is no access token');
    if (!isForAudience(claims, audiences)) throw new InvalidToken('The token is for another audience');
    const subject = [claims.sub, claims.client_id, claims.azp].find(isText);
    if (subject === undefined || subject.length > MAX_SUBJECT) throw new InvalidToken('The token names nobody');
    // 1e999 is valid JSON and infinite here.
    const latest = systemRuntime.now() / 1_000 + LONGEST_S;
    if (!(Number(claims.exp) <= latest)) throw new InvalidToken('The token never expires');
    const name = nameIn(claims, nameClaim);
    return {
      subject,
      ...(name !== undefined && { name }),
      scopes: scopesOf(claims, scopePrefix),
      expires: Number(claims.exp) + CLOCK_TOLERANCE_S,
    };
  };
}
