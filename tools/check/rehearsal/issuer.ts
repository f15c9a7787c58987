import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export const AUDIENCE = 'user-management';

const ALGORITHM = 'ES256';

/** An issuer of tokens on loopback. It ends with this process. */
export type Issuer = Awaited<ReturnType<typeof startIssuer>>;

export async function startIssuer() {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM);
  const key = { ...(await exportJWK(publicKey)), alg: ALGORITHM };
  const contents: Record<string, (form: URLSearchParams) => unknown> = {
    '/keys': () => ({ keys: [key] }),
    // For any client, with the scope that it asks for, because nobody else knows the address.
    '/token': async (form) => ({ access_token: await sign({ scope: form.get('scope') ?? '' }), expires_in: 600 }),
  };
  const server = createServer(async (request, response) => {
    const { headers, url = '' } = request;
    const issuer = `http://${headers.host}`;
    const metadata = { issuer, jwks_uri: `${issuer}/keys`, token_endpoint: `${issuer}/token` };
    const content = (await contents[url]?.(new URLSearchParams(await text(request)))) ?? metadata;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(content));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.unref();
  /** A token, of this issuer for the service unless told. */
  const sign = (claims: Record<string, string>): Promise<string> =>
    new SignJWT({ iss: url, aud: AUDIENCE, sub: 'someone', ...claims })
      .setProtectedHeader({ alg: ALGORITHM })
      .setIssuedAt()
      .setExpirationTime('10m')
      .sign(privateKey);
  return { url, sign };
}
