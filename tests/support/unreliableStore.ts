import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { close, listen } from './loopback.ts';

/**
 * What happens to an attempt to write. `held`: it is delayed, and its connection breaks. `stalled`: it is delayed, and its
 * connection stays open. `conflict`: it conflicts with another write. `held land first`: delayed attempts arrive just before
 * it. `response lost`: it is executed, and its connection breaks. `none`: it is executed.
 */
export type Mishap = 'held' | 'stalled' | 'conflict' | 'held land first' | 'response lost' | 'none';

const CONFLICT = JSON.stringify({
  __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
  Message: 'Transaction cancelled',
  CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
});

interface Attempt {
  headers: Record<string, string>;
  body: Buffer;
}

async function readAttempt(request: IncomingMessage): Promise<Attempt> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const kept = Object.entries(request.headers).filter(([name]) => name !== 'host' && name !== 'connection');
  return { headers: Object.fromEntries(kept) as Record<string, string>, body: Buffer.concat(chunks) };
}

export interface UnreliableStore {
  endpoint: string;
  /** What happens to the next attempts, in turn. Later ones get `otherwise`. */
  mishaps: Mishap[];
  otherwise: Mishap;
  /** Attempts to write so far. */
  writes: number;
  /** Stalled attempts whose connection the service has closed. */
  closed: number;
  /** Lets the delayed attempts arrive. */
  land(): Promise<void>;
  stop(): Promise<void>;
}

/** A proxy between a service and DynamoDB that makes transactions fail as a network or another writer would. */
export async function startUnreliableStore(target: string): Promise<UnreliableStore> {
  const held: Attempt[] = [];

  async function forward({ headers, body }: Attempt, response?: ServerResponse): Promise<void> {
    const forwarded = await fetch(target, { method: 'POST', headers, body: new Uint8Array(body) });
    const text = Buffer.from(await forwarded.arrayBuffer());
    response?.writeHead(forwarded.status, { 'content-type': forwarded.headers.get('content-type') ?? '' }).end(text);
  }

  const store: UnreliableStore = {
    endpoint: '',
    mishaps: [],
    otherwise: 'none',
    writes: 0,
    closed: 0,
    async land() {
      for (const attempt of held.splice(0)) await forward(attempt);
    },
    stop: () => close(server),
  };

  const carryOut: Record<Mishap, (attempt: Attempt, response: ServerResponse) => unknown> = {
    held(attempt, response) {
      held.push(attempt);
      response.destroy();
    },
    stalled(attempt, response) {
      held.push(attempt);
      response.on('close', () => store.closed++);
    },
    conflict: (_, response) => response.writeHead(400).end(CONFLICT),
    async 'held land first'(attempt, response) {
      await store.land();
      await forward(attempt, response);
    },
    async 'response lost'(attempt, response) {
      await forward(attempt);
      response.destroy();
    },
    none: forward,
  };

  const server = createServer(async (request, response) => {
    const attempt = await readAttempt(request);
    if (request.headers['x-amz-target'] !== 'DynamoDB_20120810.TransactWriteItems') return forward(attempt, response);
    store.writes++;
    await carryOut[store.mishaps.shift() ?? store.otherwise](attempt, response);
  });
  store.endpoint = await listen(server);
  return store;
}
