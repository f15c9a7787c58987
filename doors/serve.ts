import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer, type Door, type Settings } from './door.ts';

/** As API Gateway and Lambda allow it. Above, a request is answered with 413. */
const MAX_BYTES = 6_000_000;

/** The body, also one in chunks, which does not say its length. Undefined above the limit: no more of it is read. */
async function bodyOf(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of incoming) {
    length += chunk.length;
    if (length > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function requestOf(incoming: IncomingMessage, bytes: Uint8Array<ArrayBuffer>): Request {
  const { method = 'GET', url = '/', headers, rawHeaders } = incoming;
  const body = method === 'GET' || method === 'HEAD' ? null : bytes;
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
  if (!OWN.test(incoming.headers.host ?? '')) {
    outgoing.writeHead(421).end();
    return;
  }
  const isAnnounced = Number(incoming.headers['content-length'] ?? 0) > MAX_BYTES;
  const bytes = isAnnounced ? undefined : await bodyOf(incoming);
  if (bytes === undefined) {
    outgoing.writeHead(413, { connection: 'close' }).end();
    return;
  }
  const response = await ask(requestOf(incoming, bytes));
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
