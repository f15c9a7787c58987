import type { APIGatewayProxyEvent } from 'aws-lambda';
import { inject } from 'vitest';
import { ROUTES, type Route } from '../../lib/http/routes.ts';
import { loadHandlers } from './handlers.ts';
import type { Call } from './httpService.ts';
import { serviceOn, type TestService } from './service.ts';

/** Matches a path like API Gateway: a segment in braces has any value. */
const pathOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);

/** A path without braces comes first, as at API Gateway. */
function routeOf(method: string, pathname: string): { route: Route; id: string | undefined } {
  const known = ROUTES.filter((route) => route.method === method && pathOf(route.path).test(pathname));
  const route = known.find(({ path }) => path === pathname) ?? known[0];
  if (!route)
    throw new Error(
      `No handler has the route ${method} ${pathname}. HEAD, OPTIONS and wrong methods need a gateway: caller(url)`,
    );
  return { route, id: pathOf(route.path).exec(pathname)?.groups?.id };
}

/**
 * Calls the handlers in this process like a client of the HTTP service. For tests that make many calls and need no gateway.
 *
 * @param service the tables, for tests that also fold or read them. Without it the handlers get new tables
 */
export async function handlerCalls(service?: TestService): Promise<Call> {
  const { tables } = service ?? (await serviceOn.embedded());
  const invoke = await loadHandlers(tables, inject('endpoint'));
  return async (method, path, { json, body, headers = {} } = {}) => {
    const [pathname = '', query] = path.split('?');
    const { route, id } = routeOf(method, pathname);
    const content = json === undefined ? body : JSON.stringify(json);
    const more: Partial<APIGatewayProxyEvent> = {
      httpMethod: method,
      path: pathname,
      resource: route.path,
      headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
      body: content ?? null,
      requestContext: { path: pathname } as APIGatewayProxyEvent['requestContext'],
    };
    const result = await invoke(route.operation, { ...(id && { id }), ...(query && { query }), more });
    return {
      status: result.statusCode,
      headers: new Headers(result.headers as Record<string, string>),
      body: result.json,
    };
  };
}
