import type { Server } from 'node:http';
import type { AddressInfo, Server as TcpServer } from 'node:net';

/** Starts a server on loopback and a free port. Resolves with its base URL. */
export const listen = (server: TcpServer): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });

/** Also ends the connections that clients keep open. */
export const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
