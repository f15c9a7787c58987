import type { APIGatewayProxyEvent } from 'aws-lambda';
import { inject } from 'vitest';
import { ROUTES, type Route } from '../../lib/http/routes.ts';
import { loadHandlers } from './handlers.ts';
import type { Call } from './service.ts';
import { createTestService } from './store.ts';

const ID = /(?<=^\/api\/users\/)\d+$/;

function routeOf(method: string, pathname: string): Route {
  const route = ROUTES.find((known) => known.method === method && known.path === pathname.replace(ID, '{id}'));
  if (!route) throw new Error(`There is no route ${method} ${pathname}`);
  return route;
}

/**
 * Calls the handlers in this process like a client of the HTTP service, with tables of their own. For tests that make many
 * calls and need no gateway.
 */
export async function handlerCalls(): Promise<Call> {
  const { tables } = await createTestService();
  const invoke = await loadHandlers(tables, inject('endpoint'));
  return async (method, path, { json, body, headers = {} } = {}) => {
    const [pathname = '', query] = path.split('?');
    const { operation, path: resource } = routeOf(method, pathname);
    const [id] = ID.exec(pathname) ?? [];
    const content = json === undefined ? body : JSON.stringify(json);
    const more: Partial<APIGatewayProxyEvent> = {
      httpMethod: method,
      path: pathname,
      resource,
      headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
      body: content ?? null,
      requestContext: { path: pathname } as APIGatewayProxyEvent['requestContext'],
    };
    const result = await invoke(operation, { ...(id && { id }), ...(query && { query }), more });
    return {
      status: result.statusCode,
      headers: new Headers(result.headers as Record<string, string>),
      body: result.json,
    };
  };
}
