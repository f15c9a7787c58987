import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { MEDIA } from './mediaTypes.ts';

/** An answer as JSON. */
export const ok = (body: object, headers: Record<string, string> = {}): APIGatewayProxyResult => ({
  statusCode: 200,
  headers: { 'content-type': MEDIA.json, ...headers },
  body: JSON.stringify(body),
});

export const okText = (type: string, body: string, headers: Record<string, string> = {}): APIGatewayProxyResult => ({
  statusCode: 200,
  headers: { 'content-type': `${type}; charset=utf-8`, ...headers },
  body,
});

export const noContent = (headers: Record<string, string> = {}): APIGatewayProxyResult => ({
  statusCode: 204,
  headers,
  body: '',
});

/** The part of the path before the last `/api`: the stage, or the base path of a domain. Empty locally. */
export const basePathOf = ({ requestContext }: APIGatewayProxyEvent): string =>
  /^((?:\/[\w.~-]+)*)\/api\//.exec(requestContext.path)?.[1] ?? '';

/** The path of the request, which includes the stage, without a slash at its end. */
export const pathOf = ({ requestContext }: APIGatewayProxyEvent): string => requestContext.path.replace(/\/$/, '');
