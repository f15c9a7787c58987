import type { IncomingMessage, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Call, MemoryStore } from './store.ts';
import { inputOf, responseOf } from './wire.ts';

/** DynamoDB names its commands otherwise than the document client: GetItem is its GetCommand. */
const callOf = (target: string, body: string): Call => ({
  command: `${target.replace(/^.*\.|Items?$/g, '')}Command`,
  input: inputOf(JSON.parse(body || '{}')),
});

/** The JSON of an error. A command that the store does not understand is an error of the request. */
function errorOf(error: unknown): object {
  const { name, message, ...more } = error instanceof Error ? error : new Error(String(error));
  const known = name.endsWith('Exception');
  const { CancellationReasons } = more as { CancellationReasons?: object[] };
  return {
    __type: `com.amazonaws.dynamodb.v20120810#${known ? name : 'ValidationException'}`,
    message: known ? message : `The store in memory does not understand this: ${message}`,
    ...(CancellationReasons && { CancellationReasons }),
  };
}

/**
 * A page of the web must not reach the store under a name of its own that leads to this machine (DNS rebinding). Under the store's
 * address it cannot: no browser sends a header of another origin, such as `x-amz-target`, unless the server allows it.
 */
const HOSTS = /^(?:127\.[\d.]+|localhost|\[::1\])(?::\d+)?$/;

const strange = (): Error =>
  Object.assign(new Error('The store has no such name'), { name: 'UnrecognizedClientException' });

/** A store in memory behind DynamoDB's protocol: JSON 1.0 over HTTP. It checks no signatures. */
export function serveStore(store = new MemoryStore()): RequestListener {
  const respond = async (request: IncomingMessage): Promise<object> => {
    const body = await text(request);
    const { host = '', 'x-amz-target': target } = request.headers;
    if (!HOSTS.test(host)) throw strange();
    const call = callOf(String(target), body);
    const { ConsumedCapacity, ...output } = (await store.execute(call)) as Record<string, unknown>;
    const { ReturnConsumedCapacity = 'NONE' } = call.input as { ReturnConsumedCapacity?: string };
    return { ...responseOf(output), ...(ReturnConsumedCapacity !== 'NONE' && { ConsumedCapacity }) };
  };
  return async (request, response) => {
    const [status, json] = await respond(request).then(
      (output) => [200, output] as const,
      (error: unknown) => [400, errorOf(error)] as const,
    );
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(json));
  };
}
