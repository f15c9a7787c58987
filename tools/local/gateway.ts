import type { IncomingMessage } from 'node:http';
import type { Request, ResponseObject, ResponseToolkit, Server } from '@hapi/hapi';
import { MEDIA } from '../../lib/rest/index.ts';
import type { Resources } from '../deploy/resource.ts';
import { beginRequest, hasFailed, type LambdaFunction, noticeFailures } from './authorizer.ts';
import { type GatewayResponse, gatewayResponses, headersOf, rawResponse } from './gatewayResponses.ts';
import { type Doors, turnAway } from './visitors.ts';

/** The parts of serverless-offline that are used here. */
interface GatewayServer {
  createServer(this: GatewayServer): Promise<void>;
  writeRoutesTerminal(): void;
  getServer(): Server;
}
interface InvocationServer {
  start(): Promise<void>;
}

/** The gateway's status for a function that threw. This service's functions handle their errors, so they never throw. */
const FUNCTION_FAILED = 502;
const AUTHORIZER_FAILED = 503;

/** The status of a response that the gateway itself makes. Undefined for a function's response. */
function ownStatus(response: Request['response']): number | undefined {
  if ('isBoom' in response) {
    const { statusCode } = response.output;
    return statusCode === 401 && hasFailed() ? AUTHORIZER_FAILED : statusCode;
  }
  return response.statusCode === FUNCTION_FAILED ? FUNCTION_FAILED : undefined;
}

function respondWith(shape: GatewayResponse, { raw }: Request, h: ResponseToolkit): ResponseObject {
  const result = h.response(shape.ResponseTemplates['application/json']).type('application/json');
  result.code(Number(shape.StatusCode));
  for (const [name, value] of headersOf(shape, raw.req)) result.header(name, value);
  return result;
}

/**
 * serverless-offline lets every origin call with credentials, and answers preflights by itself, if it sees an origin. The
 * functions see it in the raw headers, and decide.
 */
function hideOrigin({ headers }: IncomingMessage): void {
  delete headers.origin;
}

/** Where a person looks first, and what leads to the page from there. */
const ENTRANCES = ['/', '/api', '/api/'];
const PAGE = '/api/admin';

const isEntering = ({ method = '', url = '' }: IncomingMessage): boolean =>
  ['GET', 'HEAD'].includes(method) && ENTRANCES.includes(url);

/**
 * API Gateway compresses every type; hapi goes by a list, which lacks this one.
 * A function names `Accept-Encoding` in `Vary` itself; hapi would do so once more, because it compares cases, too.
 */
const compress = ({ mime }: Server): void => void Object.assign(mime.type(MEDIA.ndjson), { compressible: true });
const varyOnce = (response: Request['response']): void => {
  if ('vary' in response && response.headers.vary) Object.assign(response, { vary: () => response });
};

/** The status for a request that must not reach a function. */
function statusFor({ url = '', headers, httpVersion }: IncomingMessage): number | undefined {
  // RFC 9112, section 3.2.
  if (headers.host === undefined && httpVersion === '1.1') return 400;
  // Without a valid URL, such as `//`, the gateway would respond with 500.
  return URL.canParse(url, 'http://localhost') ? undefined : 404;
}

/** The error of Node for a request that is not HTTP: the words of its parser, and the bytes in which it found that. */
interface ParserError extends Error {
  code?: string;
  reason?: string;
  rawPacket?: Buffer;
}

/** Whether the address has characters that stand in none (RFC 3986): letters beyond ASCII, or a blank, behind which no `HTTP/` comes. */
const isRawAddress = ({ code, reason = '', rawPacket }: ParserError): boolean =>
  code === 'HPE_INVALID_URL'
    ? reason.startsWith('Invalid char in url')
    : code === 'HPE_INVALID_CONSTANT' &&
      /^[A-Z]+ \/[^\r\n]* HTTP\/1\.[01]\r?\n/.test(rawPacket?.toString('latin1') ?? '');

const RAW_ADDRESS = 'The address must be percent-encoded: ü is %C3%BC, and a blank %20';

/** Gives the errors that Node itself sends the shape of all errors. */
function shapeBadRequests(listener: Server['listener'], badRequest: GatewayResponse): void {
  const response = rawResponse(badRequest);
  const body = JSON.stringify({ status: 400, message: RAW_ADDRESS });
  const ofRawAddress = rawResponse({ ...badRequest, ResponseTemplates: { 'application/json': body } });
  listener.removeAllListeners('clientError');
  listener.on('clientError', (error, socket) => {
    if (socket.writable) socket.end(isRawAddress(error) ? ofRawAddress : response);
    else socket.destroy();
  });
  listener.on('connect', (_, socket) => socket.end(response));
  // RFC 9110, section 10.1.1: an unknown expectation may be ignored.
  listener.on('checkExpectation', (request, reply) => listener.emit('request', request, reply));
  // `statusFor` checks it.
  Object.assign(listener, { requireHostHeader: false });
}

async function loadClass<Type>(file: string): Promise<{ prototype: Type }> {
  const main = import.meta.resolve('serverless-offline');
  return (await import(new URL(file, main).href)).default;
}

/**
 * Gives the local gateway's own errors the shape that `gateway-responses.yml` gives the deployed gateway's errors.
 * serverless-offline has no setting for that, so its server is extended when it is created. Its second server, for invoking
 * functions through the SDK, is not started: with its fixed port two services could not run side by side.
 *
 * @param resources of the template, gateway responses included
 */
export async function prepareGateway(resources: Resources, doors: Doors, onReady: () => void): Promise<void> {
  const responseFor = gatewayResponses(resources);

  const { prototype: invocations } = await loadClass<InvocationServer>('lambda/HttpServer.js');
  invocations.start = async () => {};

  noticeFailures((await loadClass<LambdaFunction>('lambda/LambdaFunction.js')).prototype);

  const { prototype: gateway } = await loadClass<GatewayServer>('events/http/HttpServer.js');
  const { createServer } = gateway;
  gateway.writeRoutesTerminal = () => {};
  gateway.createServer = async function () {
    await createServer.call(this);
    const server = this.getServer();
    // API Gateway ignores Range.
    Object.assign(server.settings.routes?.response ?? {}, { ranges: false });
    compress(server);
    shapeBadRequests(server.listener, responseFor(400));
    server.ext('onRequest', (request, h) => {
      const { req } = request.raw;
      beginRequest();
      const status = statusFor(req);
      const refusal = turnAway(doors, req) ?? (status && responseFor(status));
      hideOrigin(req);
      if (refusal) return respondWith(refusal, request, h).takeover();
      return isEntering(req) ? h.redirect(PAGE).takeover() : h.continue;
    });
    server.ext('onPreResponse', (request, h) => {
      const status = ownStatus(request.response);
      varyOnce(request.response);
      return status === undefined ? h.continue : respondWith(responseFor(status), request, h);
    });
    server.ext('onPostStart', onReady);
  };
}
