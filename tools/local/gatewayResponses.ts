import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { ofType, type Resources } from '../deploy/resource.ts';

/** The types of API Gateway's own responses, by status. */
const RESPONSE_TYPES: Record<number, string> = {
  401: 'UNAUTHORIZED',
  403: 'ACCESS_DENIED',
  404: 'RESOURCE_NOT_FOUND',
  413: 'REQUEST_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  503: 'AUTHORIZER_FAILURE',
};

const typeFor = (status: number): string => RESPONSE_TYPES[status] ?? (status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');

export interface GatewayResponse {
  ResponseType: string;
  StatusCode: string;
  ResponseTemplates: { 'application/json': string };
  ResponseParameters?: Record<string, string>;
}

/** Constants are in single quotes. Other values are taken from the request. */
const headerValue = (source: string, request: IncomingMessage): string | undefined =>
  source.startsWith("'")
    ? source.slice(1, -1)
    : request.headersDistinct[source.replace('method.request.header.', '').toLowerCase()]?.[0];

/** The headers of a response to a request. */
export const headersOf = (
  { ResponseParameters = {} }: GatewayResponse,
  request: IncomingMessage,
): [name: string, value: string][] =>
  Object.entries(ResponseParameters).flatMap(([name, source]) => {
    const value = headerValue(source, request);
    return value === undefined ? [] : [[name.replace('gatewayresponse.header.', ''), value]];
  });

/** A complete response as text, for a connection that did not send HTTP. */
export function rawResponse({ StatusCode, ResponseTemplates }: GatewayResponse): string {
  const body = ResponseTemplates['application/json'];
  const head = [`HTTP/1.1 ${StatusCode} ${STATUS_CODES[StatusCode]}`, 'content-type: application/json'];
  return [...head, `content-length: ${Buffer.byteLength(body)}`, 'connection: close', '', body].join('\r\n');
}

/** Finds the response for a status in the template. */
export function gatewayResponses(resources: Resources): (status: number) => GatewayResponse {
  const responses = ofType(resources, 'ApiGateway::GatewayResponse').map(
    ([, { Properties }]) => Properties as unknown as GatewayResponse,
  );
  return (status) => {
    const response = responses.find(({ ResponseType }) => ResponseType === typeFor(status));
    if (!response) throw new Error(`There is no gateway response of type ${typeFor(status)}`);
    return response;
  };
}
