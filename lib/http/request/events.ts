import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';

/** Fills in what API Gateway leaves out or sets to null, as its console does with all headers. */
function complete({ headers, requestContext, path }: Partial<APIGatewayProxyEvent>): Partial<APIGatewayProxyEvent> {
  const given = Object.entries(headers ?? {}).filter(([, value]) => typeof value === 'string');
  return {
    path: path ?? '/',
    headers: Object.fromEntries(given),
    requestContext: Object.assign({ path: path ?? '/' }, requestContext),
  };
}

/** Comes first, so that every other middleware gets a complete event. */
export const completeEvent = (): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => ({
  before: ({ event }) => {
    Object.assign(event, complete(event));
  },
});
