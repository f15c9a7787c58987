import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse, request as send } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import { text } from 'node:stream/consumers';

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

/** Sends the same as fast as a client takes it, until it goes. */
export function sendWithoutEnd(response: ServerResponse, piece: string): void {
  while (!response.destroyed && response.write(piece));
  if (!response.destroyed) response.once('drain', () => sendWithoutEnd(response, piece));
}

/** `lost`: the service gets the request, but the client gets no response. */
export type Fate = { status: number; headers?: Record<string, string>; json?: object } | 'lost' | undefined;

export interface Passed {
  request: string;
  status: number;
  at: number;
  authorization: string | undefined;
}

/** The changes that a test makes to the requests of a client, which are counted from 1. */
export interface Meddling {
  /** Runs before a request is sent on. */
  before?: (count: number) => Promise<void>;
  fateOf?: (count: number, body: string, headers: IncomingHttpHeaders) => Fate;
  /** The body that is sent on instead. */
  changed?: (body: string) => string;
}

/** Starts a proxy between a client and a service, which records the requests. */
export async function startGate(to: string, { before, fateOf, changed = (body) => body }: Meddling) {
  const passed: Passed[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { method, url, headers } = request;
    const note = {
      request: `${method} ${url}`,
      status: 0,
      at: performance.now(),
      authorization: headers.authorization,
    };
    const count = passed.push(note);
    await before?.(count);
    const fate = fateOf?.(count, body, headers);
    if (typeof fate === 'object') {
      note.status = fate.status;
      const { status, json = { status, message: 'No' } } = fate;
      response.writeHead(status, fate.headers).end(JSON.stringify(json));
      return;
    }
    const sent = Buffer.from(changed(body));
    const length = 'content-length' in headers ? { 'content-length': sent.length } : {};
    const onward = send(`${to}${url}`, { method, headers: { ...headers, ...length } }, (answer) => {
      note.status = answer.statusCode ?? 0;
      if (fate === 'lost') answer.resume().on('end', () => response.destroy());
      else answer.pipe(response.writeHead(note.status, answer.headers));
    });
    onward.end(sent);
  });
  return { url: await listen(server), passed, close: () => close(server) };
}

/** A proxy before a server on loopback that can drop connections without a word: they stay open, and nothing passes any more. */
export async function startSwallowingProxy(to: string) {
  const { hostname, port } = new URL(to);
  const [open, all] = [new Set<Socket>(), new Set<Socket>()];
  let connections = 0;
  let toSwallow = 0;
  const server = createTcpServer((client) => {
    connections++;
    all.add(client.on('error', () => {}));
    if (toSwallow > 0) {
      toSwallow--;
      client.resume();
      return;
    }
    const onward = connect(Number(port), hostname).on('error', () => client.destroy());
    client.pipe(onward).pipe(client);
    open.add(client).add(onward);
    client.on('close', () => onward.destroy());
  });
  const url = await listen(server);
  return {
    url,
    connections: () => connections,
    /** Swallows what is sent on connections that are open, and on the next ones. */
    swallow(next = 0): void {
      toSwallow = next;
      for (const socket of open) socket.unpipe().resume();
      open.clear();
    },
    stop(): void {
      for (const socket of all) socket.destroy();
      server.close();
    },
  };
}
