import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { ServiceError } from '../ground/index.ts';
import { advised, httpError } from './errors.ts';

/** A method of a path, and what holds for all of its requests. */
export interface Route {
  /** The end of its function's name, after a hyphen. */
  operation: string;
  method: string;
  /** As API Gateway writes it: `/api/users/{id}`. */
  path: string;
  /** Scopes that a caller's token must all have (RFC 6749, section 3.3), where authentication is on. */
  scopes: readonly string[];
  /** Refuses what it does not know, whatever the client prefers. */
  isStrict?: true;
  /** Lasts as long as what is asked for: its time is no metric. */
  isUntimed?: true;
}

/** An API. Everything else here is the same for any. */
export interface Api {
  /** Both are in the header field Server (RFC 9110, section 10.2.4). */
  product: string;
  version: string;
  /** In which CloudWatch shows the metrics. */
  namespace: string;
  routes: readonly Route[];
  /** The scopes that a request needs beside those of its route. */
  scopesBeside?(route: Route, event: APIGatewayProxyEvent): readonly string[];
  /** The parameter that is probably meant by one that an endpoint does not take, as the rest of a sentence. */
  hintAt(name: string, taken: readonly string[]): string | undefined;
  /** The paths that are probably meant by one that is not there, or by a method that its path does not have, for problem details. */
  helpAt?(asked: AskedPath): string | undefined;
}

type Asked = Pick<APIGatewayProxyEvent, 'resource' | 'httpMethod'>;

/** A path and a method, as API Gateway tells them. */
export type AskedPath = Asked & Pick<APIGatewayProxyEvent, 'path' | 'pathParameters'>;

/** Whether callers of a route need a token where authentication is on. */
export const needsToken = ({ scopes }: Pick<Route, 'scopes'>): boolean => scopes.length > 0;

/**
 * The route that a function serves, or else the one that API Gateway has chosen. A HEAD has that of its GET. Undefined for a path or
 * method that is unknown.
 */
export function routeOf({ routes }: Api, { resource, httpMethod }: Asked, functionName = ''): Route | undefined {
  const method = httpMethod === 'HEAD' ? 'GET' : httpMethod;
  return (
    routes.find(({ operation }) => functionName.endsWith(`-${operation}`)) ??
    routes.find((each) => each.path === resource && each.method === method)
  );
}

/** The methods of a path; empty for an unknown path. Every GET can be a HEAD. */
export function allowedMethods({ routes }: Api, path: string): string[] {
  const methods = routes
    .filter((route) => route.path === path)
    .flatMap(({ method }) => (method === 'GET' ? [method, 'HEAD'] : [method]));
  return methods.length === 0 ? [] : [...methods, 'OPTIONS'];
}

/** The error for a known path with another method (RFC 9110, section 15.5.6); undefined for an unknown path. */
export function methodNotAllowed(api: Api, asked: AskedPath, path = asked.resource): ServiceError | undefined {
  const allow = allowedMethods(api, path).join(', ');
  if (allow === '') return undefined;
  const message = `Method ${asked.httpMethod} is not allowed here, only ${allow}`;
  return httpError('method-not-allowed', message, {
    headers: { allow },
    detail: advised(message, api.helpAt?.(asked)),
  });
}

/**
 * `PUT /api/users/all` is a wrong method, not a wrong id. API Gateway matches it with the path `/all`, which has a catch-all
 * for other methods. serverless-offline matches it with PUT of `/{id}`.
 *
 * @throws {ServiceError} 405 for a parameter of the path that makes it another path
 */
export function refuseOtherPaths(api: Api, event: APIGatewayProxyEvent): void {
  const { resource, pathParameters } = event;
  const path = resource.replace(/\{(\w+)\}/g, (parameter, name: string) => pathParameters?.[name] ?? parameter);
  const error = path === resource ? undefined : methodNotAllowed(api, event, path);
  if (error) throw error;
}
