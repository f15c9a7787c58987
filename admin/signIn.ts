import { type Metadata, readMetadata } from '../lib/auth/metadata.ts';
import { tokenRules } from '../lib/auth/settings.ts';
import { unavailable } from '../lib/errors.ts';
import { ROUTES, type Scope } from '../lib/http/routes.ts';
import { optionalVariable } from '../lib/runtime.ts';
import type { SignIn } from './settings.ts';

const SCOPES: readonly Scope[] = [...new Set(ROUTES.flatMap((route): readonly Scope[] => route.scopes))];

let known: { issuer: string; metadata: Metadata } | undefined;

/** The issuer's metadata, read once. After a failure the next request reads it again. */
async function metadataOf(issuer: string): Promise<Metadata> {
  if (known?.issuer !== issuer) known = { issuer, metadata: await readMetadata(issuer) };
  return known.metadata;
}

/**
 * Undefined when the stage has no client for the page.
 *
 * @throws {ServiceError} 503 when the issuer cannot be reached, or does not let people sign in
 */
export async function readSignIn(): Promise<SignIn | undefined> {
  const clientId = optionalVariable('ADMIN_CLIENT_ID');
  if (!clientId) return undefined;
  const { issuer, audiences, scopePrefix } = tokenRules();
  const { jwks_uri: _, authorization_endpoint, token_endpoint, ...metadata } = await metadataOf(issuer);
  if (!authorization_endpoint || !token_endpoint) {
    throw unavailable(`${issuer} does not let people sign in`);
  }
  return {
    clientId,
    scopes: SCOPES.map((scope) => scopePrefix + scope),
    scopePrefix,
    audience: audiences[0] ?? '',
    metadata: { ...metadata, authorization_endpoint, token_endpoint },
  };
}
