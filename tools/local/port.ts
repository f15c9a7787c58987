import { createServer, type Server } from 'node:net';

const MAX_PORT = 65_535;

const listen = (port: number, host: string): Promise<NodeJS.ErrnoException | undefined> =>
  new Promise((resolve) => {
    const probe = createServer().once('error', resolve);
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });

/** @throws {Error} that says what to do when the port cannot be listened on */
export async function requirePort(port: number, host: string): Promise<void> {
  if (!Number.isInteger(port) || port < 1 || port > MAX_PORT) {
    throw new Error(`PORT must be an integer from 1 to ${MAX_PORT}.`);
  }
  const error = await listen(port, host);
  if (!error) return;
  const reason = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${error.code})`;
  throw new Error(`Port ${port} ${reason}: end what listens there, or name another port in PORT.`, { cause: error });
}

const LOOPBACK = '127.0.0.1';

/** For programs that cannot report a port that they choose themselves. */
export async function freePort(): Promise<number> {
  const server = await new Promise<Server>((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, LOOPBACK, () => resolve(probe));
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No free port');
  return address.port;
}
