import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';

/** What API Gateway leaves out or sets to null: its console does so with all headers. */
function complete({ headers, requestContext, path }: Partial<APIGatewayProxyEvent>): Partial<APIGatewayProxyEvent> {
  const given = Object.entries(headers ?? {}).filter(([, value]) => typeof value === 'string');
  return {
    path: path ?? '/',
    headers: Object.fromEntries(given),
    requestContext: Object.assign({ path: path ?? '/' }, requestContext),
  };
}

/** Before all else, so that what shapes errors finds a whole event, too. */
export const completeEvent = (): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => ({
  before: ({ event }) => {
    Object.assign(event, complete(event));
  },
});
