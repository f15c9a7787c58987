import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { ServiceError } from '../../errors.ts';
import { systemRuntime } from '../../runtime.ts';

/** What the authorizer told API Gateway of the caller; nothing where authentication is off. */
const authorizerOf = ({ requestContext }: APIGatewayProxyEvent) => requestContext.authorizer ?? undefined;

/** The `sub` of the token. */
export function callerOf(event: APIGatewayProxyEvent): string | undefined {
  const principal: unknown = authorizerOf(event)?.principalId;
  return typeof principal === 'string' ? principal : undefined;
}

/**
 * API Gateway keeps the authorizer's word for minutes, also when the token expires meanwhile. It renames this header of a
 * function's answer to `x-amzn-Remapped-WWW-Authenticate`; of its own answers, which all other 401 are, it does not:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 */
export const refuseExpired = (): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => ({
  before: ({ event }) => {
    const expires: unknown = authorizerOf(event)?.expires;
    if (expires === undefined || Number(expires) * 1_000 > systemRuntime.now()) return;
    throw new ServiceError(401, 'The token has expired', {
      headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
    });
  },
});
