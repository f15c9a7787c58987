import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export const AUDIENCE = 'user-management';

const ALGORITHM = 'ES256';

/** An issuer of tokens on loopback. It ends with this process. */
export type Issuer = Awaited<ReturnType<typeof startIssuer>>;

export async function startIssuer() {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM);
  const key = { ...(await exportJWK(publicKey)), alg: ALGORITHM };
  const server = createServer(({ headers, url }, response) => {
    const issuer = `http://${headers.host}`;
    const content = url === '/keys' ? { keys: [key] } : { issuer, jwks_uri: `${issuer}/keys` };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(content));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.unref();
  return {
    url,
    /** A token, of this issuer for the service unless told. */
    sign: (claims: Record<string, string>): Promise<string> =>
      new SignJWT({ iss: url, aud: AUDIENCE, sub: 'someone', ...claims })
        .setProtectedHeader({ alg: ALGORITHM })
        .setIssuedAt()
        .setExpirationTime('10m')
        .sign(privateKey),
  };
}
