import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { ServiceError } from '../errors.ts';

/**
 * Every route of the service, and what a caller must be allowed to do for it (RFC 6749, section 3.3) where
 * authentication is on. The functions in serverless.yml and this table agree, a test sees to it.
 */
export const ROUTES = [
  { operation: 'listUsers', method: 'GET', path: '/api/users', scope: 'users:read' },
  { operation: 'createUser', method: 'POST', path: '/api/users', scope: 'users:write' },
  { operation: 'listAllUsers', method: 'GET', path: '/api/users/all', scope: 'users:read' },
  { operation: 'listUsersByCursor', method: 'GET', path: '/api/users/cursor', scope: 'users:read' },
  { operation: 'searchUsers', method: 'GET', path: '/api/users/search', scope: 'users:read' },
  { operation: 'getUser', method: 'GET', path: '/api/users/{id}', scope: 'users:read' },
  { operation: 'replaceUser', method: 'PUT', path: '/api/users/{id}', scope: 'users:write' },
  { operation: 'patchUser', method: 'PATCH', path: '/api/users/{id}', scope: 'users:write' },
  { operation: 'deleteUser', method: 'DELETE', path: '/api/users/{id}', scope: 'users:write' },
  { operation: 'getOpenApi', method: 'GET', path: '/api/openapi.json', scope: undefined },
  { operation: 'getDocs', method: 'GET', path: '/api/docs', scope: undefined },
  { operation: 'getDocsFile', method: 'GET', path: '/api/docs/{file}', scope: undefined },
] as const;

export type Route = (typeof ROUTES)[number];
export type Operation = Route['operation'];
export type Scope = NonNullable<Route['scope']>;

const USERS_PATH = '/api/users/';

/** What a path can be asked, none for an unknown path. What can be read by GET can be asked for by HEAD. */
export function allowedMethods(path: string): string[] {
  const methods = ROUTES.filter((route) => route.path === path).flatMap(({ method }) =>
    method === 'GET' ? [method, 'HEAD'] : [method],
  );
  return methods.length === 0 ? [] : [...methods, 'OPTIONS'];
}

/** The refusal of a known path with another method (RFC 9110, section 15.5.6); undefined for an unknown path. */
export function methodNotAllowed(path: string, method: string): ServiceError | undefined {
  const allow = allowedMethods(path).join(', ');
  if (allow === '') return undefined;
  return new ServiceError(405, `Method ${method} is not allowed here, only ${allow}`, { headers: { allow } });
}

function refuseReservedId(id: string, method: string): void {
  const refusal = id.startsWith('{') ? undefined : methodNotAllowed(USERS_PATH + id, method);
  if (refusal) throw refusal;
}

/**
 * API Gateway prefers `/all` with any method to `/{id}` with this one; serverless-offline does the reverse. Before the body
 * is read, as the method is wrong whatever the body is.
 */
export const refuseReservedIds = (): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => ({
  before: ({ event }) => refuseReservedId(event.pathParameters?.id ?? '{id}', event.httpMethod),
});
