import type { APIGatewayProxyEvent, Context } from 'aws-lambda';

/** The part of an API Gateway event that the service reads, with the query parameters of a query string. */
export function event(query = '', more: Partial<APIGatewayProxyEvent> = {}): APIGatewayProxyEvent {
  const sent = new URLSearchParams(query);
  return {
    httpMethod: 'GET',
    path: '/api/users',
    resource: '/api/users',
    headers: {},
    body: null,
    isBase64Encoded: false,
    pathParameters: null,
    multiValueQueryStringParameters: Object.fromEntries([...sent.keys()].map((name) => [name, sent.getAll(name)])),
    requestContext: { path: '/api/users' },
    ...more,
  } as APIGatewayProxyEvent;
}

export const context = { awsRequestId: 'request-1', functionName: 'user-management-dev-test' } as Context;

/** The body of an edit of everybody. */
export const EDIT = { patch: { age: 30 }, atMost: 1_000, everybody: true };
