/** TLS before a store, as DynamoDB has it: a container spends a good part of its start on it. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';

const KEY = '.local/bench-tls.key';
const CERTIFICATE = '.local/bench-tls.crt';

export interface Tls {
  endpoint: string;
  /** The file of the certificate, which nobody has signed: callers must be told to trust it. */
  certificate: string;
  /** The bytes that the store has sent until now, before they are encrypted. */
  sent(): number;
  stop(): void;
}

/** DynamoDB's certificates have keys of this kind, too. */
function makeCertificate(): void {
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', KEY, '-out', CERTIFICATE];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...key, ...subject], { stdio: 'ignore' });
}

/** @throws {Error} where no openssl is installed, which makes the certificate */
export async function withTls(endpoint: string): Promise<Tls> {
  makeCertificate();
  const { hostname, port } = new URL(endpoint);
  let sent = 0;
  const server = createServer({ key: readFileSync(KEY), cert: readFileSync(CERTIFICATE) }, (socket) => {
    const store = connect(Number(port), hostname);
    store.on('data', ({ length }) => {
      sent += length;
    });
    // A process that has been asked ends without a word.
    for (const [one, other] of [
      [socket, store],
      [store, socket],
    ] as const)
      one.on('error', () => other.destroy()).pipe(other);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, 'localhost', resolve);
  await promise;
  const address = server.address() as AddressInfo;
  return {
    endpoint: `https://localhost:${address.port}`,
    certificate: CERTIFICATE,
    sent: () => sent,
    stop: () => server.close(),
  };
}
