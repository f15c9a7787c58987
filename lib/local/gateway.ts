import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TemplateResource } from './tables.ts';

/** The little of hapi (https://hapi.dev/api) that is needed here. */
interface HapiResponse {
  isBoom?: boolean;
  output?: { statusCode: number };
}
interface HapiAnswer {
  code(status: number): HapiAnswer;
  type(mediaType: string): HapiAnswer;
  header(name: string, value: string): HapiAnswer;
}
interface HapiToolkit {
  continue: symbol;
  response(body: string): HapiAnswer;
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

/** What the gateway itself refuses, by status, as the type of response that the deployed one has for it. */
const RESPONSE_TYPES: Record<number, string> = {
  401: 'UNAUTHORIZED',
  403: 'ACCESS_DENIED',
  404: 'RESOURCE_NOT_FOUND',
  413: 'REQUEST_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

const typeFor = (status: number): string => RESPONSE_TYPES[status] ?? (status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');

interface GatewayResponse {
  ResponseType: string;
  StatusCode: string;
  ResponseTemplates: { 'application/json': string };
  ResponseParameters?: Record<string, string>;
}

const HEADER_PREFIX = 'gatewayresponse.header.';

/** Constants stand in single quotes; other values would be taken from the request. */
const constantHeaders = ({ ResponseParameters = {} }: GatewayResponse): [name: string, value: string][] =>
  Object.entries(ResponseParameters)
    .filter(([, value]) => value.startsWith("'"))
    .map(([name, value]) => [name.replace(HEADER_PREFIX, ''), value.slice(1, -1)]);

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
  const responses = Object.values(resources)
    .filter(({ Type }) => Type === 'AWS::ApiGateway::GatewayResponse')
    .map(({ Properties }) => Properties as unknown as GatewayResponse);
  const responseFor = (status: number) => responses.find(({ ResponseType }) => ResponseType === typeFor(status));

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
      const shape = responseFor(response.output.statusCode);
      if (!shape) return h.continue;
      const answer = h.response(shape.ResponseTemplates['application/json']).type('application/json');
      answer.code(Number(shape.StatusCode));
      for (const [name, value] of constantHeaders(shape)) answer.header(name, value);
      return answer;
    });
    server.ext('onPostStart', onReady);
  };
}
