import type { APIGatewayAuthorizerResult, Statement } from 'aws-lambda';
import { escapeBreaks } from '../../ground/index.ts';
import { type Api, needsToken, type Route } from '../routes.ts';
import type { Caller } from './tokens.ts';

/** The `arn:…:api-id/stage` that an ARN of a method begins with. */
const stageOf = (methodArn: string): string => methodArn.split('/', 2).join('/');

/** Whether the ARN of a policy covers a resource: a `*` in it is any text, slashes included. */
const covers = (pattern: string, resource: string): boolean =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(resource);

/** The ARNs of a route, with `*` for any id. A GET includes HEAD; each comes with and without a slash at the end. */
function resourcesOf({ method, path }: Route): string[] {
  const any = path.replace(/\{\w+\}/g, '*');
  const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
  const paths = any.endsWith('*') ? [any] : [any, `${any}/`];
  return methods.flatMap((verb) => paths.map((place) => verb + place));
}

/**
 * Everything that a caller may do in the API, not only the requested method: API Gateway caches the policy per token. The `*` of
 * a route that is allowed may cover one that is not, which is denied.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html
 */
export function policyFor(
  { routes }: Pick<Api, 'routes'>,
  { subject, name, scopes, expires }: Caller,
  methodArn: string,
): APIGatewayAuthorizerResult {
  const stage = stageOf(methodArn);
  const guarded = routes.filter(needsToken);
  const isAllowed = (route: Route) => route.scopes.every((scope) => scopes.has(scope));
  const allowed = guarded.filter(isAllowed).flatMap(resourcesOf);
  const others = guarded.filter((route) => !isAllowed(route)).flatMap(resourcesOf);
  const denied =
    allowed.length > 0 ? others.filter((other) => allowed.some((pattern) => covers(pattern, other))) : ['*'];
  const statement = (Effect: 'Allow' | 'Deny', resources: readonly string[]): Statement[] =>
    resources.length > 0
      ? [{ Action: 'execute-api:Invoke', Effect, Resource: resources.map((resource) => `${stage}/${resource}`) }]
      : [];
  return {
    principalId: subject,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [...statement('Allow', allowed), ...statement('Deny', denied)],
    },
    context: {
      expires,
      // The functions look at the scopes again: lib/rest/caller.ts. Of others they need not know.
      heldScopes: [...new Set(guarded.flatMap((route) => route.scopes))].filter((scope) => scopes.has(scope)).join(' '),
      // In ASCII: nobody says what API Gateway does with other letters in a context.
      ...(name !== undefined && { encodedName: Buffer.from(name).toString('base64url') }),
      // For the access log, which escapes nothing: a quotation mark of a subject would end its text.
      escapedSubject: escapeBreaks(JSON.stringify(subject)).slice(1, -1),
    },
  };
}
