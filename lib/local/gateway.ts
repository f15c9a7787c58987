import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorBody } from '../http/problems.ts';

/** The little of hapi (https://hapi.dev/api) that is needed here. */
interface HapiResponse {
  isBoom?: boolean;
  output?: { statusCode: number };
}
interface HapiToolkit {
  continue: symbol;
  response(body: object): { code(status: number): unknown };
}
interface HapiServer {
  ext(event: 'onPreResponse', method: (request: { response: HapiResponse }, h: HapiToolkit) => unknown): void;
  ext(event: 'onPostStart', method: () => void): void;
}
interface GatewayServer {
  createServer(this: GatewayServer): Promise<void>;
  createRoutes(this: GatewayServer, functionKey: string, event: { method: string }, handler: string): void;
  writeRoutesTerminal(): void;
  getServer(): HapiServer;
}
interface InvocationServer {
  start(): Promise<void>;
}

/** What hapi refuses before a function is called, by status, in the words of `gateway-responses.yml`. */
const MESSAGES: Record<number, string> = {
  400: 'Bad request',
  404: 'Path not found',
  413: 'Request body is too large',
  415: 'Content-Type is not supported',
};

async function loadClass<Type>(file: string): Promise<{ prototype: Type }> {
  const main = createRequire(import.meta.url).resolve('serverless-offline');
  const module = await import(pathToFileURL(join(main, '..', file)).href);
  return module.default;
}

/**
 * Makes the local gateway behave as `gateway-responses.yml` makes the deployed one: its own errors have the one shape.
 * serverless-offline offers no setting for them, so its server is extended as it is created. Its second server, for
 * invoking functions through the SDK, is not started: its fixed port would keep two services from running side by side.
 */
export async function prepareGateway({ onReady }: { onReady: () => void }): Promise<void> {
  const { prototype: invocations } = await loadClass<InvocationServer>('lambda/HttpServer.js');
  invocations.start = async () => {};

  const { prototype: gateway } = await loadClass<GatewayServer>('events/http/HttpServer.js');
  const { createServer, createRoutes } = gateway;
  // Its server answers HEAD by the route of GET, and it would say so of every route.
  gateway.createRoutes = function (functionKey, event, handler) {
    if (event.method.toUpperCase() !== 'HEAD') createRoutes.call(this, functionKey, event, handler);
  };
  gateway.writeRoutesTerminal = () => {};
  gateway.createServer = async function () {
    await createServer.call(this);
    const server = this.getServer();
    server.ext('onPreResponse', ({ response }, h) => {
      if (!response.isBoom || !response.output) return h.continue;
      const { statusCode } = response.output;
      return h.response(errorBody(statusCode, MESSAGES[statusCode] ?? 'Bad request')).code(statusCode);
    });
    server.ext('onPostStart', onReady);
  };
}
