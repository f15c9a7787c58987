import { createRequire } from 'node:module';
import { answer, type Door, type Settings } from './door.ts';
import { type Kept, kept } from './kept.ts';
import { serviceTokens } from './serviceToken.ts';

/** The part of an event of an HTTP API, payload 2.0, that a request is made of. A function URL sends the same. */
interface HttpEvent {
  rawPath: string;
  rawQueryString: string;
  headers: Record<string, string>;
  body?: string;
  isBase64Encoded: boolean;
  requestContext: { domainName: string; http: { method: string } };
}

/** The part of the SDK in Lambda's runtime that doors use. A door without a secret does not load it. */
interface SecretsModule {
  SecretsManager: new () => { getSecretValue(input: { SecretId: string }): Promise<{ SecretString?: string }> };
}

/** Lambda tells a require where its SDK is, and no import. */
const requireFromLambda = createRequire(`${process.cwd()}/index.cjs`);

/** The secret of a door, as doors/secret.yml makes it. */
interface Secret {
  token: string;
  clientSecret: string;
}

/** The milliseconds after which the secret is read again: a token that was replaced is refused after them. */
const SECRET_KEPT_MS = 300_000;

function requestOf({ rawPath, rawQueryString, headers, body, isBase64Encoded, requestContext }: HttpEvent): Request {
  const { domainName, http } = requestContext;
  const url = new URL(`https://${domainName}`);
  url.pathname = rawPath;
  url.search = rawQueryString;
  const { method } = http;
  const bytes = body === undefined ? null : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  return new Request(url, { method, headers, body: method === 'GET' || method === 'HEAD' ? null : bytes });
}

async function resultOf(response: Response) {
  const body = Buffer.from(await response.arrayBuffer()).toString('base64');
  return { statusCode: response.status, headers: Object.fromEntries(response.headers), body, isBase64Encoded: true };
}

async function readSecret(SecretId: string): Promise<Kept<Secret>> {
  const { SecretsManager } = requireFromLambda('@aws-sdk/client-secrets-manager') as SecretsModule;
  const { SecretString = '' } = await new SecretsManager().getSecretValue({ SecretId });
  return { value: JSON.parse(SecretString), until: Date.now() + SECRET_KEPT_MS };
}

const { SERVICE_URL: url = '', SECRET, OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id = '' } = process.env;
const { OIDC_CLIENT_SCOPE: scope = '', OIDC_AUDIENCE: audiences = '' } = process.env;
const [audience = ''] = audiences.split(/[\s,]+/);

const secret = SECRET ? kept(() => readSecret(SECRET)) : async () => ({ token: '', clientSecret: '' });

let client = { secret: '', tokens: async (): Promise<string | undefined> => undefined };

/** The settings of the door, from the environment, its secret and the issuer. */
export async function settings(): Promise<Settings> {
  const { token, clientSecret } = await secret();
  if (issuer && clientSecret !== client.secret)
    client = { secret: clientSecret, tokens: serviceTokens({ issuer, id, secret: clientSecret, scope, audience }) };
  const serviceToken = await client.tokens();
  return { ...process.env, url, token, ...(serviceToken !== undefined && { serviceToken }) };
}

/** A door as a function of Lambda behind an HTTP API. */
export const onLambda = (door: Door) => async (event: HttpEvent) =>
  resultOf(await answer(door, requestOf(event), settings));
