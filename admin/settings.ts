import { optionalVariable, unavailable } from '../lib/ground/index.ts';
import { ROUTES, type Scope } from '../lib/http/routes.ts';
import { type Metadata, readMetadata, tokenRules } from '../lib/rest/tokens/index.ts';

const SCOPES: readonly Scope[] = [...new Set(ROUTES.flatMap((route): readonly Scope[] => route.scopes))];

let known: { issuer: string; metadata: Metadata } | undefined;

/** The issuer's metadata, read once. After a failure the next request reads it again. */
async function metadataOf(issuer: string): Promise<Metadata> {
  if (known?.issuer !== issuer) known = { issuer, metadata: await readMetadata(issuer) };
  return known.metadata;
}

/**
 * How people sign in on the page. Undefined when the stage has no client for it.
 *
 * @throws {ServiceError} 503 when the issuer cannot be reached, or does not let people sign in
 */
export async function readSignIn() {
  const clientId = optionalVariable('ADMIN_CLIENT_ID');
  if (!clientId) return undefined;
  const { issuer, audiences, scopePrefix } = tokenRules();
  const { jwks_uri: _, authorization_endpoint, token_endpoint, ...metadata } = await metadataOf(issuer);
  if (!authorization_endpoint || !token_endpoint) {
    throw unavailable(`${issuer} does not let people sign in`);
  }
  return {
    clientId,
    /** All of the service, as the issuer names them. */
    scopes: SCOPES.map((scope) => scopePrefix + scope),
    /** The text that the issuer puts before the names of scopes. */
    scopePrefix,
    /** The first one that the service accepts. Some issuers give a token for it only if it is named. */
    audience: audiences[0] ?? '',
    metadata: { ...metadata, authorization_endpoint, token_endpoint },
  };
}

/** The settings of the service that the page needs. */
export interface PageSettings {
  /** The path of the API: `/prod/api`. */
  api: string;
  stage: string;
  /** Whether the service runs on the machine of a developer. */
  isLocal: boolean;
  /** For how many days changes are kept. 0: they are not. */
  historyDays: number;
  /** Whether requests need a token. */
  isProtected: boolean;
  /** Absent if nobody can sign in here. */
  signIn?: NonNullable<Awaited<ReturnType<typeof readSignIn>>>;
}
