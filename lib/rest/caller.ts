import type { APIGatewayProxyEvent } from 'aws-lambda';
import { systemRuntime } from '../ground/index.ts';
import { httpError } from './errors.ts';
import type { Api, Route } from './routes.ts';
import { isProtected } from './tokens/settings.ts';

/** The authorizer's words about the caller; undefined if authentication is off. */
const authorizerOf = ({ requestContext }: Partial<APIGatewayProxyEvent>) => requestContext?.authorizer ?? undefined;

/** The subject of the caller's token; undefined where no token is needed. */
export function callerOf(event: APIGatewayProxyEvent): string | undefined {
  const principal: unknown = authorizerOf(event)?.principalId;
  return typeof principal === 'string' ? principal : undefined;
}

/** The caller, and the name that a claim of the token gives to the caller. */
export interface Origin {
  by?: string | undefined;
  byName?: string;
}

export function originOf(event: APIGatewayProxyEvent): Origin {
  const name: unknown = authorizerOf(event)?.encodedName;
  return {
    by: callerOf(event),
    ...(typeof name === 'string' && { byName: Buffer.from(name, 'base64url').toString() }),
  };
}

/**
 * API Gateway caches the authorizer's policy for minutes, even if the token expires in that time. It renames this header to
 * `x-amzn-Remapped-WWW-Authenticate` in a function's response. All other 401 are its own responses, which keep the name:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 */
export function refuseExpiredTokens(event: APIGatewayProxyEvent): void {
  const expires: unknown = authorizerOf(event)?.expires;
  if (expires === undefined || Number(expires) * 1_000 > systemRuntime.now()) return;
  throw httpError('token-expired', 'The token has expired', {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  });
}

/**
 * The policy of a token allows paths, in which `*` stands for any id. API Gateway chooses the function, so its route decides here
 * once more. An event without scopes has passed no authorizer of this service: a test of API Gateway, a route that was made by hand. Only
 * where nobody needs a token it is taken.
 */
export function refuseMissingScopes(api: Api, route: Route | undefined, event: APIGatewayProxyEvent): void {
  const held: unknown = authorizerOf(event)?.heldScopes;
  if (held === undefined && !isProtected()) return;
  const scopes = String(held).split(' ');
  const needed = route ? [...route.scopes, ...(api.scopesBeside?.(route, event) ?? [])] : [];
  if (needed.every((scope) => scopes.includes(scope))) return;
  throw httpError('insufficient-scope', 'The token lacks the scope that this needs', {
    headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' },
  });
}
