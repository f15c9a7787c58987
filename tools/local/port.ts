import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const MAX_PORT = 65_535;
export const LOOPBACK = '127.0.0.1';

/** Listens on a port for a moment, and returns its number. 0 is any free one. */
async function listen(port: number, host: string): Promise<number> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  await once(server.close(), 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port');
  return address.port;
}

/** @throws {Error} that says what to do when the port cannot be listened on */
export async function requirePort(port: number, host: string): Promise<void> {
  if (!Number.isInteger(port) || port < 1 || port > MAX_PORT) {
    throw new Error(`PORT must be an integer from 1 to ${MAX_PORT}.`);
  }
  await listen(port, host).catch((error: NodeJS.ErrnoException) => {
    const reason =
      error.code === 'EADDRINUSE'
        ? 'is in use: end what listens there, or name another port in PORT'
        : `of ${host} cannot be listened on (${error.code}): name another port in PORT, or another host with --host`;
    throw new Error(`Port ${port} ${reason}.`, { cause: error });
  });
}

/** For programs that cannot report a port that they choose themselves. */
export const freePort = (host = LOOPBACK): Promise<number> => listen(0, host);

/**
 * One of the 16 million loopback addresses (RFC 1122, section 3.2.1.3), for a server that believes everybody: nobody finds it by trying.
 * macOS has only the usual one.
 */
export async function hiddenAddress(): Promise<string> {
  const address = `127.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
  return freePort(address).then(
    () => address,
    () => LOOPBACK,
  );
}
