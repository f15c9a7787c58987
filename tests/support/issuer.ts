import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type CompactJWSHeaderParameters, CompactSign, type CryptoKey, exportJWK, generateKeyPair } from 'jose';
import { close, listen } from './servers.ts';

interface SignOptions {
  alg?: string;
  /** The key that the token names. Empty for none. */
  kid?: string;
  key?: CryptoKey;
  /** The type in the header. Absent unless given. */
  typ?: unknown;
}

export const AUDIENCE = 'user-management';

const ALGORITHM = 'ES256';
const KEY_ID = 'test-key';

const nowS = () => Math.floor(Date.now() / 1_000);

interface IssuerOptions {
  /** Overrides the usual metadata. */
  metadata?: object;
  /** Keys that it publishes before its own. */
  moreKeys?: object[];
}

async function makeKey(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  return { kid, privateKey, published: { ...(await exportJWK(publicKey)), kid, alg: ALGORITHM, use: 'sig' } };
}

/** An OpenID Connect issuer on loopback, with its own key pair. It also gives tokens for client credentials. */
export async function startIssuer({ metadata = {}, moreKeys = [] }: IssuerOptions = {}) {
  let own = await makeKey(KEY_ID);
  const requests: string[] = [];
  let isFailing = false;
  let url = '';

  /** A token that the issuer signs, with any text as its claims. */
  const signText = (
    claims: string,
    { alg = ALGORITHM, kid = own.kid, key = own.privateKey, ...header }: SignOptions = {},
  ): Promise<string> =>
    new CompactSign(Buffer.from(claims))
      .setProtectedHeader({ alg, ...(kid !== '' && { kid }), ...header } as CompactJWSHeaderParameters)
      .sign(key);

  /** A token that the issuer signs. Claims override the usual ones; undefined removes one. */
  const sign = (claims: Record<string, unknown> = {}, options: SignOptions = {}): Promise<string> => {
    const usual = { iss: url, aud: AUDIENCE, sub: 'someone', iat: nowS(), exp: nowS() + 300, scope: '' };
    return signText(JSON.stringify({ ...usual, ...claims }), options);
  };

  const grant = async (request: IncomingMessage) => {
    const parameters = new URLSearchParams(await text(request));
    const credentials = Buffer.from(request.headers.authorization?.split(' ')[1] ?? '', 'base64').toString();
    if (credentials !== 'smoke:secret' || parameters.get('grant_type') !== 'client_credentials') return undefined;
    return {
      token_type: 'Bearer',
      access_token: await sign({ scope: parameters.get('scope') ?? '' }),
      expires_in: 300,
    };
  };

  const contents: Record<string, (request: IncomingMessage) => unknown> = {
    '/.well-known/openid-configuration': () => ({
      issuer: url,
      jwks_uri: `${url}/keys`,
      token_endpoint: `${url}/token`,
      ...metadata,
    }),
    '/keys': () => ({ keys: [...moreKeys, own.published] }),
    '/token': grant,
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests.push(request.url ?? '');
    const content = isFailing ? undefined : await contents[request.url ?? '']?.(request);
    response.writeHead(content === undefined ? 500 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(content ?? {}));
  }

  const server = createServer(respond);
  url = await listen(server);
  return {
    url,
    sign,
    signText,
    /** The requested paths. */
    requests,
    /** Makes all requests fail, or succeed again. */
    fail: (failing: boolean) => {
      isFailing = failing;
    },
    /** From now on another key, with this name, takes the place of its own. */
    rotate: async (kid: string) => {
      own = await makeKey(kid);
    },
    stop: () => close(server),
  };
}
