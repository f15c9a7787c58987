import { STATUS_CODES } from 'node:http';
import type { TemplateResource } from './tables.ts';

/** The types of API Gateway's own responses, by status. */
const RESPONSE_TYPES: Record<number, string> = {
  401: 'UNAUTHORIZED',
  403: 'ACCESS_DENIED',
  404: 'RESOURCE_NOT_FOUND',
  413: 'REQUEST_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

const typeFor = (status: number): string => RESPONSE_TYPES[status] ?? (status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');

export interface GatewayResponse {
  ResponseType: string;
  StatusCode: string;
  ResponseTemplates: { 'application/json': string };
  ResponseParameters?: Record<string, string>;
}

const HEADER_PREFIX = 'gatewayresponse.header.';

/** Constants are in single quotes. Other values would be taken from the request. */
export const constantHeaders = ({ ResponseParameters = {} }: GatewayResponse): [name: string, value: string][] =>
  Object.entries(ResponseParameters)
    .filter(([, value]) => value.startsWith("'"))
    .map(([name, value]) => [name.replace(HEADER_PREFIX, ''), value.slice(1, -1)]);

/** A complete response as text, for a connection that did not send HTTP. */
export function rawResponse({ StatusCode, ResponseTemplates }: GatewayResponse): string {
  const body = ResponseTemplates['application/json'];
  const head = [`HTTP/1.1 ${StatusCode} ${STATUS_CODES[StatusCode]}`, 'content-type: application/json'];
  return [...head, `content-length: ${Buffer.byteLength(body)}`, 'connection: close', '', body].join('\r\n');
}

/** Finds the response for a status in the template. */
export function gatewayResponses(resources: Record<string, TemplateResource>): (status: number) => GatewayResponse {
  const responses = Object.values(resources)
    .filter(({ Type }) => Type === 'AWS::ApiGateway::GatewayResponse')
    .map(({ Properties }) => Properties as unknown as GatewayResponse);
  return (status) => {
    const response = responses.find(({ ResponseType }) => ResponseType === typeFor(status));
    if (!response) throw new Error(`There is no gateway response of type ${typeFor(status)}`);
    return response;
  };
}
