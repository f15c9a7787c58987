import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError } from '../ground/index.ts';

/**
 * Every route of the service, with the scopes (RFC 6749, section 3.3) that its caller needs, all of them, if authentication is on. A test
 * compares the routes with the functions in serverless.yml.
 */
export const ROUTES = [
  { operation: 'listUsers', method: 'GET', path: '/api/users', scopes: ['users:read'] },
  { operation: 'createUser', method: 'POST', path: '/api/users', scopes: ['users:write'] },
  { operation: 'batchUsers', method: 'POST', path: '/api/users/batch', scopes: ['users:read', 'users:write'] },
  { operation: 'upsertUser', method: 'PUT', path: '/api/users', scopes: ['users:write'] },
  { operation: 'editUsers', method: 'POST', path: '/api/users/edits', scopes: ['users:read', 'users:write'] },
  {
    operation: 'undoEdit',
    method: 'POST',
    path: '/api/users/edits/{edit}/undo',
    scopes: ['users:audit', 'users:read', 'users:write'],
  },
  { operation: 'listAllUsers', method: 'GET', path: '/api/users/all', scopes: ['users:read'] },
  { operation: 'listUsersByCursor', method: 'GET', path: '/api/users/cursor', scopes: ['users:read'] },
  { operation: 'searchUsers', method: 'GET', path: '/api/users/search', scopes: ['users:read'] },
  { operation: 'countUsers', method: 'GET', path: '/api/users/counts', scopes: ['users:read'] },
  { operation: 'getUser', method: 'GET', path: '/api/users/{id}', scopes: ['users:read'] },
  { operation: 'replaceUser', method: 'PUT', path: '/api/users/{id}', scopes: ['users:write'] },
  { operation: 'patchUser', method: 'PATCH', path: '/api/users/{id}', scopes: ['users:write'] },
  { operation: 'deleteUser', method: 'DELETE', path: '/api/users/{id}', scopes: ['users:write'] },
  { operation: 'listChanges', method: 'GET', path: '/api/users/changes', scopes: ['users:audit'] },
  { operation: 'listUserChanges', method: 'GET', path: '/api/users/{id}/changes', scopes: ['users:audit'] },
  {
    operation: 'eraseUserChanges',
    method: 'DELETE',
    path: '/api/users/{id}/changes',
    scopes: ['users:audit', 'users:write'],
  },
  { operation: 'getOpenApi', method: 'GET', path: '/api/openapi.json', scopes: [] },
  { operation: 'getDocs', method: 'GET', path: '/api/docs', scopes: [] },
  { operation: 'getDocsFile', method: 'GET', path: '/api/docs/{file}', scopes: [] },
  { operation: 'getAdmin', method: 'GET', path: '/api/admin', scopes: [] },
  { operation: 'getAdminFile', method: 'GET', path: '/api/admin/{file}', scopes: [] },
] as const;

export type Route = (typeof ROUTES)[number];
export type Operation = Route['operation'];
export type Scope = Route['scopes'][number];

/** Whether callers of a route need a token where authentication is on. */
export const needsToken = ({ scopes }: Pick<Route, 'scopes'>): boolean => scopes.length > 0;

type Asked = Pick<APIGatewayProxyEvent, 'resource' | 'httpMethod' | 'multiValueQueryStringParameters'>;

/**
 * The route that a function serves, or else the one that API Gateway has chosen. A HEAD has that of its GET. Undefined for a path or
 * method that is unknown.
 */
export function routeOf({ resource, httpMethod }: Asked, functionName = ''): Route | undefined {
  const method = httpMethod === 'HEAD' ? 'GET' : httpMethod;
  return (
    ROUTES.find(({ operation }) => functionName.endsWith(`-${operation}`)) ??
    ROUTES.find((each) => each.path === resource && each.method === method)
  );
}

/** The scopes of a route, and of a user's past. A path or method that is unknown needs none. */
export function scopesOf(asked: Asked, functionName = ''): readonly Scope[] {
  const route = routeOf(asked, functionName);
  const isOfPast = asked.multiValueQueryStringParameters?.at?.some((at) => at.trim() !== '');
  if (route?.operation === 'getUser' && isOfPast) return [...route.scopes, 'users:audit'];
  return route?.scopes ?? [];
}

/** The methods of a path; empty for an unknown path. Every GET can be a HEAD. */
export function allowedMethods(path: string): string[] {
  const methods = ROUTES.filter((route) => route.path === path).flatMap(({ method }) =>
    method === 'GET' ? [method, 'HEAD'] : [method],
  );
  return methods.length === 0 ? [] : [...methods, 'OPTIONS'];
}

/** The error for a known path with another method (RFC 9110, section 15.5.6); undefined for an unknown path. */
export function methodNotAllowed(path: string, method: string): ServiceError | undefined {
  const allow = allowedMethods(path).join(', ');
  if (allow === '') return undefined;
  return new ServiceError('method-not-allowed', `Method ${method} is not allowed here, only ${allow}`, {
    headers: { allow },
  });
}

/**
 * `PUT /api/users/all` is a wrong method, not a wrong id. API Gateway matches it with the path `/all`, which has a catch-all
 * for other methods. serverless-offline matches it with PUT of `/{id}`.
 */
export function refuseReservedIds({ resource, pathParameters, httpMethod }: APIGatewayProxyEvent): void {
  const id = resource === '/api/users/{id}' ? pathParameters?.id : undefined;
  const error = id?.startsWith('{') === false ? methodNotAllowed(`/api/users/${id}`, httpMethod) : undefined;
  if (error) throw error;
}
