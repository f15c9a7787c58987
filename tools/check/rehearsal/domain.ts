import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startOpenSearch } from '../../local/openSearch/start.ts';
import { REGION } from './standIn.ts';

const SIGNED = new RegExp(`^AWS4-HMAC-SHA256 Credential=[^/ ]+/\\d{8}/${REGION}/es/aws4_request,`);

/** A call as permissions name it: its action, and its path in the domain. */
export type DomainCall = readonly [action: string, path: string];

/**
 * A domain of OpenSearch Service, whose node is on this machine. It refuses calls that are not signed, and does not check
 * signatures. As a proxy it responds with 502 where the node does not answer: functions may still call while it ends.
 */
export async function startDomain() {
  const node = await startOpenSearch();
  const calls = new Map<string, DomainCall>();
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = request;
    if (!SIGNED.test(headers.authorization ?? '')) return response.writeHead(403).end();
    const path = url.replace(/\?.*/, '');
    calls.set(`${method} ${path}`, [`es:ESHttp${method.charAt(0)}${method.slice(1).toLowerCase()}`, path]);
    const body = await buffer(request);
    const type = { 'content-type': headers['content-type'] ?? 'application/json' };
    const found = await fetch(node.endpoint + url, { method, headers: type, ...(body.length > 0 && { body }) });
    const content = Buffer.from(await found.arrayBuffer());
    return response.writeHead(found.status, type).end(content);
  };
  const server = createServer((request, response) =>
    respond(request, response).catch(() => response.writeHead(502).end()),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The calls since the last time. */
    calls(): DomainCall[] {
      const all = [...calls.values()];
      calls.clear();
      return all;
    },
    async stop(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await node.stop();
    },
  };
}
