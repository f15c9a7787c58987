import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent, Context } from 'aws-lambda';
import { fault, logFault } from '../lib/ground/index.ts';
import { ROUTES } from '../lib/http/routes.ts';
import { createTokenVerifier, InvalidToken, policyFor, tokenRules } from '../lib/rest/tokens/index.ts';

const verify = createTokenVerifier(tokenRules());

/** API Gateway passes on no more of all header fields together. */
const MAX_CHARACTERS = 10_240;

const BEARER = /^bearer +(\S+)$/i;

/** Tells API Gateway what the bearer of a token may do. API Gateway turns the message "Unauthorized" into 401, any other error into 503. */
export async function handler(
  event: APIGatewayTokenAuthorizerEvent,
  { awsRequestId }: Context,
): Promise<APIGatewayAuthorizerResult> {
  try {
    if (typeof event?.methodArn !== 'string') throw fault('The event is not one of a TOKEN authorizer of a REST API');
    const field = event.authorizationToken ?? '';
    const token = field.length > MAX_CHARACTERS ? undefined : BEARER.exec(field)?.[1];
    if (token === undefined) throw new InvalidToken('There is no bearer token');
    return policyFor({ routes: ROUTES }, await verify(token), event.methodArn);
  } catch (error) {
    if (error instanceof InvalidToken) throw new Error('Unauthorized');
    if (error instanceof Error) logFault(error, awsRequestId);
    throw new Error('The token could not be verified');
  }
}
