import type { IncomingMessage, Server } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { constantHeaders, type GatewayResponse, gatewayResponses, rawAnswer } from './gatewayResponses.ts';
import type { TemplateResource } from './tables.ts';

/** The little of hapi (https://hapi.dev/api) that is needed here. */
interface HapiResponse {
  /** Of what a function answered. */
  statusCode?: number;
  isBoom?: boolean;
  output?: { statusCode: number };
}
interface HapiRequest {
  raw: { req: IncomingMessage };
  response: HapiResponse;
}
interface HapiAnswer {
  code(status: number): HapiAnswer;
  type(mediaType: string): HapiAnswer;
  header(name: string, value: string): HapiAnswer;
  takeover(): HapiAnswer;
}
interface HapiToolkit {
  continue: symbol;
  response(body: string): HapiAnswer;
}
interface HapiServer {
  listener: Server;
  settings: { routes: { response: { ranges: boolean } } };
  ext(event: 'onRequest' | 'onPreResponse', method: (request: HapiRequest, h: HapiToolkit) => unknown): void;
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

/** A function answers errors itself; this is the gateway's word for one that failed. */
const FUNCTION_FAILED = 502;

/** The status of what the gateway answers in place of a function, if it does. */
const ownStatus = ({ isBoom, output, statusCode }: HapiResponse): number | undefined =>
  isBoom ? output?.statusCode : statusCode === FUNCTION_FAILED ? statusCode : undefined;

function answerWith(shape: GatewayResponse, h: HapiToolkit): HapiAnswer {
  const answer = h.response(shape.ResponseTemplates['application/json']).type('application/json');
  answer.code(Number(shape.StatusCode));
  for (const [name, value] of constantHeaders(shape)) answer.header(name, value);
  return answer;
}

/** What is refused before it comes to a function, and with which status. */
function refusalOf({ url = '', headers, httpVersion }: IncomingMessage): number | undefined {
  // RFC 9112, section 3.2.
  if (headers.host === undefined && httpVersion === '1.1') return 400;
  // The gateway makes an event of a URL, and ends with 500 where there is none, as of `//`.
  return URL.canParse(url, 'http://localhost') ? undefined : 404;
}

/** What Node refuses by itself, before a server sees it, gets the one shape too. */
function answerBadRequests(listener: Server, badRequest: GatewayResponse): void {
  const answer = rawAnswer(badRequest);
  listener.removeAllListeners('clientError');
  listener.on('clientError', (_, socket) => {
    if (socket.writable) socket.end(answer);
    else socket.destroy();
  });
  listener.on('connect', (_, socket) => socket.end(answer));
  // RFC 9110, section 10.1.1: an expectation that is not known may be ignored.
  listener.on('checkExpectation', (request, response) => listener.emit('request', request, response));
  // Left to `refusalOf`.
  Object.assign(listener, { requireHostHeader: false });
}

async function loadClass<Type>(file: string): Promise<{ prototype: Type }> {
  const main = createRequire(import.meta.url).resolve('serverless-offline');
  const module = await import(pathToFileURL(join(main, '..', file)).href);
  return module.default;
}

interface GatewayOptions {
  /** Of the template: the gateway's responses are among them. */
  resources: Record<string, TemplateResource>;
  onReady: () => void;
}

/**
 * Makes the local gateway behave as `gateway-responses.yml` makes the deployed one: its own errors have the one shape.
 * serverless-offline offers no setting for them, so its server is extended as it is created. Its second server, for
 * invoking functions through the SDK, is not started: its fixed port would keep two services from running side by side.
 */
export async function prepareGateway({ resources, onReady }: GatewayOptions): Promise<void> {
  const responseFor = gatewayResponses(resources);

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
    // API Gateway knows no ranges.
    server.settings.routes.response.ranges = false;
    answerBadRequests(server.listener, responseFor(400));
    server.ext('onRequest', (request, h) => {
      const status = refusalOf(request.raw.req);
      return status === undefined ? h.continue : answerWith(responseFor(status), h).takeover();
    });
    server.ext('onPreResponse', ({ response }, h) => {
      const status = ownStatus(response);
      return status === undefined ? h.continue : answerWith(responseFor(status), h);
    });
    server.ext('onPostStart', onReady);
  };
}
