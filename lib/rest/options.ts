import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { corsOf } from './headers.ts';
import { ACCEPT_PATCH } from './mediaTypes.ts';
import { noContent } from './responses.ts';
import { type Api, allowedMethods } from './routes.ts';

const DAY_S = 86_400;

/** The headers that scripts of other origins may send. Some others are always allowed. */
const REQUEST_HEADERS = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer';

/** The methods of a path (RFC 9110, section 9.3.7), and what a script of another origin may send. Undefined for an unknown path. */
export function optionsOf(api: Api, event: APIGatewayProxyEvent): APIGatewayProxyResult | undefined {
  const methods = allowedMethods(api, event.resource);
  if (methods.length === 0) return undefined;
  const allow = methods.join(', ');
  const isCrossOrigin = Object.keys(corsOf(event)).length > 0;
  return noContent({
    allow,
    ...(methods.includes('PATCH') && { 'accept-patch': ACCEPT_PATCH }),
    ...(isCrossOrigin && {
      'access-control-allow-methods': allow,
      'access-control-allow-headers': REQUEST_HEADERS,
      'access-control-max-age': String(DAY_S),
    }),
  });
}
