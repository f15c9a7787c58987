import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { vi } from 'vitest';
import { type Operation, ROUTES } from '../../lib/http/routes.ts';
import type { TableNames } from '../../lib/users/database.ts';
import { checkAgainstDocument } from './contract.ts';
import { context, event } from './events.ts';

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
export async function loadHandlers(tables: TableNames, endpoint: string): Promise<Invoke> {
  vi.stubEnv('USERS_TABLE', tables.users);
  vi.stubEnv('DIRECTORY_TABLE', tables.directory);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', endpoint);
  vi.resetModules();
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
    const result = await (handlers[operation] as Handler)(request, given ?? context);
    const route = ROUTES.find((each) => each.operation === operation);
    const method = request.httpMethod === 'HEAD' ? 'HEAD' : (route?.method ?? request.httpMethod ?? 'GET');
    const asked = Object(request.multiValueQueryStringParameters).cursor?.length > 0 ? '?cursor=0' : '';
    const path = `${route?.path ?? request.path ?? '/'}${asked}`;
    const headers = new Headers(result.headers as Record<string, string>);
    checkAgainstDocument({ method, path, status: result.statusCode, headers, text: result.body });
    const isJson = headers.get('content-type')?.includes('json');
    return { ...result, json: isJson && result.body !== '' ? JSON.parse(result.body) : undefined };
  };
}
