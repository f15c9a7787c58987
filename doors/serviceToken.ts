import { type Kept, kept } from './kept.ts';

/** A client of the issuer of a stage, as client credentials need it (RFC 6749, section 4.4). */
export interface IssuerClient {
  issuer: string;
  id: string;
  secret: string;
  /** Scopes, between blanks, with the prefix of the stage. */
  scope: string;
  /** Of the token, where the issuer asks for it. Empty for none. */
  audience: string;
}

const TIMEOUT_MS = 10_000;

async function read(url: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
  return Object(await response.json());
}

async function grant({ issuer, id, secret, scope, audience }: IssuerClient): Promise<Kept<string>> {
  const metadata = await read(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const credentials = Buffer.from([id, secret].map(encodeURIComponent).join(':')).toString('base64');
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope, ...(audience && { audience }) });
  const headers = { authorization: `Basic ${credentials}` };
  const { access_token, expires_in } = await read(String(metadata.token_endpoint), { method: 'POST', headers, body });
  if (typeof access_token !== 'string') throw new Error('The issuer responded without an access token');
  // Half of its life: issuers charge for tokens, and a clock may be late.
  return { value: access_token, until: Date.now() + (Number(expires_in) || 0) * 500 };
}

/** Tokens of a client, one after another. */
export const serviceTokens = (client: IssuerClient): (() => Promise<string>) => kept(() => grant(client));
