import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { currentMeter, type Meter, optionalVariable } from '../ground/index.ts';
import { MEDIA, prefersProblem } from './mediaTypes.ts';
import { preferenceApplied } from './preferences.ts';
import type { Api } from './routes.ts';

/** Responses are data, not pages: a browser must not guess their type, frame them, or load anything for them. */
const SECURITY = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** A private cache may store a response but must revalidate it. It must not store an error. */
const CACHE = { 'cache-control': 'private, no-cache', vary: 'Accept, Accept-Encoding, Origin, Prefer' };
const NO_CACHE = { ...CACHE, 'cache-control': 'no-store' };

/** The headers that scripts of other origins may read. */
const EXPOSED =
  'Accept-Patch, Advice, Allow, ETag, Idempotency-Replayed, Ignored-Members, Link, Location, Preference-Applied, Retry-After, Server-Timing, WWW-Authenticate, X-Total-Count';

/** `*`, or the origins that may call from browsers. Empty if the variable is not set. */
const allowedOrigins = (): string[] => (optionalVariable('CORS_ORIGINS') ?? '').split(/[\s,]+/).filter(Boolean);

/** https://fetch.spec.whatwg.org/#http-cors-protocol. No cookies are used, so credentials are not allowed. */
export function corsOf({ headers: { origin } }: APIGatewayProxyEvent): Record<string, string> {
  const allowed = allowedOrigins();
  if (!origin || !(allowed.includes('*') || allowed.includes(origin))) return {};
  return {
    'access-control-allow-origin': allowed.includes('*') ? '*' : origin,
    'access-control-expose-headers': EXPOSED,
  };
}

const lowerCased = (headers: APIGatewayProxyResult['headers']) =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));

/** Empty where a store has not told the price of each call. */
function unitsOf({ readUnits, writeUnits, unpriced = 0 }: Meter): string {
  if (unpriced > 0) return '';
  return `;desc="${readUnits} RRU${writeUnits > 0 ? `, ${writeUnits} WRU` : ''}"`;
}

/** Server-Timing (https://www.w3.org/TR/server-timing/): browsers show it next to the request. */
function serverTiming(meter: Meter): string {
  const { replica, besideIndex, journal, changes, dynamoMs } = meter;
  return [
    ...(replica === undefined ? [] : [`replica;desc="${replica}"`]),
    ...(besideIndex === undefined ? [] : [`index;desc="${besideIndex} changed since"`]),
    ...(journal === undefined ? [] : [`journal;desc="${journal}"`]),
    ...(changes === undefined ? [] : [`changes;desc="${changes}"`]),
    `dynamodb${unitsOf(meter)};dur=${dynamoMs}`,
  ].join(', ');
}

function complete(api: Api, event: APIGatewayProxyEvent, response: APIGatewayProxyResult): void {
  const isError = response.statusCode >= 400;
  const meter = currentMeter();
  response.headers = {
    ...SECURITY,
    // The release that answered. Behind API Gateway it is X-Amzn-Remapped-Server.
    server: `${api.product}/${api.version}`,
    ...(isError ? NO_CACHE : CACHE),
    ...corsOf(event),
    ...preferenceApplied(api, event),
    ...(meter && meter.calls > 0 && { 'server-timing': serverTiming(meter) }),
    ...lowerCased(response.headers),
    ...(isError && prefersProblem(event) && { 'content-type': MEDIA.problem }),
  };
}

type Middleware = MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult>;

/** Adds the headers that every response has, errors included. They show what a request cost even when it failed. */
export function completeHeaders(api: Api): Middleware {
  const after: Middleware['after'] = ({ event, response }) => {
    if (response) complete(api, event, response);
  };
  return { after, onError: after };
}
