import type { APIGatewayProxyEvent, Context } from 'aws-lambda';

/** The part of an API Gateway event that the service reads, with the query parameters of a query string. */
export function event(query = '', more: Partial<APIGatewayProxyEvent> = {}): APIGatewayProxyEvent {
  const parameters: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(query)) parameters[name] = [...(parameters[name] ?? []), value];
  return {
    httpMethod: 'GET',
    path: '/api/users',
    resource: '/api/users',
    headers: {},
    body: null,
    isBase64Encoded: false,
    pathParameters: null,
    multiValueQueryStringParameters: parameters,
    requestContext: { path: '/api/users' },
    ...more,
  } as APIGatewayProxyEvent;
}

export const context = { awsRequestId: 'request-1', functionName: 'user-management-dev-test' } as Context;
