import type { APIGatewayAuthorizerResult, Statement } from 'aws-lambda';
import { ROUTES, type Route } from '../http/routes.ts';
import type { Caller } from './tokens.ts';

/** The `arn:…:api-id/stage` that an ARN of a method begins with. */
const stageOf = (methodArn: string): string => methodArn.split('/', 2).join('/');

/** The ARNs of a route, with `*` for any id. A GET includes HEAD; each comes with and without a slash at the end. */
function resourcesOf({ method, path }: Route): string[] {
  const any = path.replace(/\{\w+\}/g, '*');
  const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
  const paths = any.endsWith('*') ? [any] : [any, `${any}/`];
  return methods.flatMap((verb) => paths.map((place) => verb + place));
}

/**
 * Everything that a caller may do in the API, not only the requested method: API Gateway caches the policy per token.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html
 */
export function policyFor({ subject, scopes, expires }: Caller, methodArn: string): APIGatewayAuthorizerResult {
  const stage = stageOf(methodArn);
  const allowed = ROUTES.filter(({ scope }) => scope !== undefined && scopes.has(scope)).flatMap(resourcesOf);
  const Action = 'execute-api:Invoke';
  const statement: Statement =
    allowed.length > 0
      ? { Action, Effect: 'Allow', Resource: allowed.map((resource) => `${stage}/${resource}`) }
      : { Action, Effect: 'Deny', Resource: `${stage}/*` };
  return {
    principalId: subject,
    policyDocument: { Version: '2012-10-17', Statement: [statement] },
    context: { expires },
  };
}
