import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { serveForTest } from './programs.ts';

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** A request that a receiver got, and its answer. */
export interface Got {
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
  id: number;
  version: number;
  /** 0: none. */
  status: number;
}

/** The id of a webhook, and the moment of the try. */
export const sentIn = ({ headers }: Got) => [headers['webhook-id'], Number(headers['webhook-timestamp'])];

/** Requires what a receiver in JavaScript requires. @throws {Error} for a webhook that was not signed with the secret just now */
export const verify = ({ body, headers }: Got, secret = SECRET) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

/** A receiver, which takes all that it does not answer otherwise. It ends with the test. */
export async function startReceiver(answer: (response: ServerResponse, got: Got, count: number) => unknown = () => {}) {
  const got: Got[] = [];
  const url = await serveForTest(async (request, response) => {
    const { url: path, headers } = request;
    const body = await text(request);
    const { id, version } = JSON.parse(body).data;
    const one = { path, headers, body, id, version, status: 0 };
    response.on('finish', () => (one.status = response.statusCode));
    await answer(response, one, got.push(one));
    if (!response.headersSent && !response.destroyed) response.writeHead(204).end();
  });
  return {
    url,
    got,
    /** The versions that it took of a user. */
    taken: (id: number) => got.flatMap((each) => (each.id === id && each.status === 204 ? [each.version] : [])),
    triesOf: (id: number) => got.filter((each) => each.id === id),
  };
}
