import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { ACCEPT_PATCH } from '../mediaTypes.ts';
import { allowedMethods } from '../routes.ts';
import { corsOf } from './headers.ts';
import { noContent } from './responses.ts';

const DAY_S = 86_400;

/** What scripts of other origins may send besides the headers that any may. */
const REQUEST_HEADERS = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match';

/** What a path allows (RFC 9110, section 9.3.7), and whether a script of another origin may use it; undefined for an unknown path. */
export function optionsOf(event: APIGatewayProxyEvent): APIGatewayProxyResult | undefined {
  const methods = allowedMethods(event.resource);
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
