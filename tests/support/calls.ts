import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { vi } from 'vitest';
import { type Operation, ROUTES, type Route } from '../../lib/http/routes.ts';
import type { TableNames } from '../../lib/users/database.ts';
import { context, event } from '../../tools/samples/events.ts';
import { checkAgainstDocument, isJsonType } from './contract.ts';
import type { Call } from './httpService.ts';
import { SEARCH_ENDPOINT } from './searched.ts';
import { serviceOn, type TestService } from './service.ts';
import { storeEndpoint } from './shared.ts';

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

export type Invoke = (
  operation: Operation | 'unknownRoute',
  request?: {
    id?: number | string;
    query?: string;
    body?: unknown;
    more?: Partial<APIGatewayProxyEvent>;
    context?: Context;
  },
) => Promise<APIGatewayProxyResult & { json: unknown }>;

/** Loads the handlers into this process as Lambda does, with the environment of the template. */
export async function loadHandlers(tables: TableNames, endpoint: string, stage = 'none'): Promise<Invoke> {
  vi.stubEnv('USERS_TABLE', tables.users);
  vi.stubEnv('DIRECTORY_TABLE', tables.directory);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', endpoint);
  vi.resetModules();
  if (SEARCH_ENDPOINT !== undefined) {
    vi.stubEnv('OPENSEARCH_URL', SEARCH_ENDPOINT);
    vi.stubEnv('STAGE', stage);
    vi.doMock('../../lib/roots/replicaStage.ts', () => import('../../lib/roots/searchStage.ts'));
  }
  const handlers: Record<string, Handler> = {};
  for (const name of [...ROUTES.map(({ operation }) => operation), 'unknownRoute']) {
    handlers[name] = (await import(`../../functions/${name}.ts`)).handler;
  }
  return async (operation, { id, query, body, more, context: given } = {}) => {
    const request = event(query, {
      ...(id !== undefined && { pathParameters: { id: String(id) } }),
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      ...more,
    });
    const own = { ...context, functionName: `user-management-dev-${operation}` };
    const result = await (handlers[operation] as Handler)(request, given ?? own);
    const route = ROUTES.find((each) => each.operation === operation);
    const method = request.httpMethod === 'HEAD' ? 'HEAD' : (route?.method ?? request.httpMethod ?? 'GET');
    const parameters = Object(request.multiValueQueryStringParameters);
    const asked = ['cursor', 'after', 'fields'].flatMap((name) => (parameters[name]?.length > 0 ? [`${name}=0`] : []));
    const path = `${route?.path ?? request.path ?? '/'}?${asked.join('&')}`;
    const headers = new Headers(result.headers as Record<string, string>);
    checkAgainstDocument({ method, path, status: result.statusCode, headers, text: result.body });
    const isJson = isJsonType(headers.get('content-type'));
    return { ...result, json: isJson && result.body !== '' ? JSON.parse(result.body) : undefined };
  };
}

/** Matches a path like API Gateway: a segment in braces has any value. */
const pathOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);

/** A path without braces comes first, as at API Gateway. */
function routeOf(method: string, pathname: string): { route: Route; pathParameters: Record<string, string> } {
  const known = ROUTES.filter((route) => route.method === method && pathOf(route.path).test(pathname));
  const route = known.find(({ path }) => path === pathname) ?? known[0];
  if (!route)
    throw new Error(
      `No handler has the route ${method} ${pathname}. HEAD, OPTIONS and wrong methods need a gateway: caller(url)`,
    );
  return { route, pathParameters: { ...pathOf(route.path).exec(pathname)?.groups } };
}

/**
 * Calls the handlers in this process like a client of the HTTP service. For tests that make many calls and need no gateway.
 *
 * @param service the tables, for tests that also fold or read them. Without it the handlers get new tables
 */
export async function handlerCalls(service?: TestService): Promise<Call> {
  const { tables, stage, listing } = service ?? (await serviceOn.embedded());
  // Its index is there then.
  if (SEARCH_ENDPOINT !== undefined) await listing.load(0);
  const invoke = await loadHandlers(tables, await storeEndpoint(), stage);
  return async (method, path, { json, body, headers = {} } = {}) => {
    const [pathname = '', query] = path.split('?');
    const { route, pathParameters } = routeOf(method, pathname);
    const content = json === undefined ? body : JSON.stringify(json);
    const more: Partial<APIGatewayProxyEvent> = {
      httpMethod: method,
      path: pathname,
      resource: route.path,
      pathParameters,
      headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
      body: content ?? null,
      requestContext: { path: pathname } as APIGatewayProxyEvent['requestContext'],
    };
    const result = await invoke(route.operation, { ...(query && { query }), more });
    return {
      status: result.statusCode,
      headers: new Headers(result.headers as Record<string, string>),
      body: result.json,
    };
  };
}
