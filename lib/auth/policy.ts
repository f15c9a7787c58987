import type { APIGatewayAuthorizerResult, Statement } from 'aws-lambda';
import { ROUTES, type Route } from '../http/routes.ts';
import type { Caller } from './tokens.ts';

/** `arn:…:api-id/stage` of an ARN that goes on with method and path. */
const stageOf = (methodArn: string): string => methodArn.split('/', 2).join('/');

/** What a route is in an ARN, where `*` stands for any id. What answers GET answers HEAD; a slash at the end may be sent. */
function resourcesOf({ method, path }: Route): string[] {
  const any = path.replace(/\{\w+\}/g, '*');
  const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
  const paths = any.endsWith('*') ? [any] : [any, `${any}/`];
  return methods.flatMap((verb) => paths.map((place) => verb + place));
}

/**
 * What a caller may do, anywhere in the API: API Gateway keeps the policy for the token and applies it to other requests.
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
