import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { answer, type Door, type Settings } from './door.ts';

/** As API Gateway and Lambda allow it. Above, a request is answered with 413. */
const MAX_BYTES = 6_000_000;

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const { method = 'GET', url = '/', headers, rawHeaders } = incoming;
  const body = method === 'GET' || method === 'HEAD' ? null : new Uint8Array(await buffer(incoming));
  const pairs = rawHeaders.flatMap((name, i): [string, string][] => (i % 2 ? [] : [[name, rawHeaders[i + 1] ?? '']]));
  return new Request(new URL(url, `http://${headers.host ?? 'localhost'}`), { method, headers: pairs, body });
}

/** The names of this machine. A page elsewhere may have any other name lead here, and would then ask as a page of this door. */
const OWN = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  ask: (request: Request) => Promise<Response>,
) {
  if (Number(incoming.headers['content-length'] ?? 0) > MAX_BYTES) {
    outgoing.writeHead(413, { connection: 'close' }).end();
    return;
  }
  if (!OWN.test(incoming.headers.host ?? '')) {
    outgoing.writeHead(421).end();
    return;
  }
  const response = await ask(await requestOf(incoming));
  const body = Buffer.from(await response.arrayBuffer());
  outgoing.writeHead(response.status, [...response.headers].flat());
  outgoing.end(body);
}

/** Serves a door on this machine, for this machine alone. Port 0 is a free one. */
export async function serve(door: Door, settings: () => Promise<Settings>, port: number) {
  const ask = (request: Request) => answer(door, request, settings);
  const server = createServer((incoming, outgoing) => {
    respond(incoming, outgoing, ask).catch((error) => {
      console.error(error);
      outgoing.destroy();
    });
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
