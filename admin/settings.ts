import type { Metadata } from '../lib/auth/metadata.ts';

/** How people sign in on the page. */
export interface SignIn {
  clientId: string;
  /** All scopes of the service, as the issuer names them. */
  scopes: readonly string[];
  /** What the issuer puts before the names of scopes. */
  scopePrefix: string;
  /** The first audience that the service accepts. Some issuers give a token for it only if it is named. */
  audience: string;
  metadata: Omit<Metadata, 'jwks_uri'> & { authorization_endpoint: string; token_endpoint: string };
}

/** What the page has to know of its service. */
export interface PageSettings {
  /** The path of the API: `/prod/api`. */
  api: string;
  stage: string;
  /** Whether the service runs on the machine of whoever develops it. */
  isLocal: boolean;
  /** Whether requests need a token. */
  isProtected: boolean;
  /** Absent if nobody can sign in here. */
  signIn?: SignIn;
}
