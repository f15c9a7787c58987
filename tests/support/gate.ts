import { createServer, type IncomingHttpHeaders, request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, listen } from './loopback.ts';

/** `lost`: the service gets the request, but the client gets no response. */
export type Fate = { status: number; headers?: Record<string, string>; json?: object } | 'lost' | undefined;

export interface Passed {
  request: string;
  status: number;
  at: number;
  authorization: string | undefined;
}

/** What a test does with the requests of a client, which are counted from 1. */
export interface Meddling {
  /** Runs before a request is sent on. */
  before?: (count: number) => Promise<void>;
  fateOf?: (count: number, body: string, headers: IncomingHttpHeaders) => Fate;
}

/** Starts a proxy between a client and a service, which records the requests. */
export async function startGate(to: string, { before, fateOf }: Meddling) {
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
    const onward = send(`${to}${url}`, { method, headers }, (answer) => {
      note.status = answer.statusCode ?? 0;
      if (fate === 'lost') answer.resume().on('end', () => response.destroy());
      else answer.pipe(response.writeHead(note.status, answer.headers));
    });
    onward.end(body);
  });
  return { url: await listen(server), passed, close: () => close(server) };
}
