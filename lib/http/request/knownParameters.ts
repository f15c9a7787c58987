import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { ServiceError } from '../../errors.ts';
import { hintAt } from '../hints.ts';
import { QUERY_PARAMETERS } from '../queryParameters.ts';
import { needsToken, routeOf } from '../routes.ts';

/** As much of a name as a message repeats. */
const SHOWN = 64;

/** What others add to addresses, to pass caches and to count visitors. It asks for nothing here. */
const IGNORED = /^(?:_|utm_)|^(?:gclid|fbclid)$/;

/** What a client prefers to happen to what is not known (RFC 7240, sections 2 and 4.4). The first mention counts. */
function handlingIn({ headers }: APIGatewayProxyEvent): 'lenient' | 'strict' | undefined {
  const handling = /(?:^|,)\s*handling\s*=\s*"?(\w+)/i.exec(headers.prefer ?? '')?.[1]?.toLowerCase();
  return handling === 'lenient' || handling === 'strict' ? handling : undefined;
}

/** Says that a preference was met (RFC 7240, section 3). */
export function preferenceApplied(event: APIGatewayProxyEvent): Record<string, string> {
  const handling = handlingIn(event);
  return handling ? { 'preference-applied': `handling=${handling}` } : {};
}

/**
 * A list without the filter that was asked for would be a list of everybody, and the client would take the first for whom it has asked.
 * Pages and files of the documentation are the same whatever is asked. Issuers and caches add what they like to their addresses.
 *
 * @throws {ServiceError} 400 for the first parameter that the endpoint does not know, with what is probably meant
 */
export const refuseUnknown = (): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => ({
  before: ({ event, context }) => {
    const route = routeOf(event, context.functionName);
    if (!route || (handlingIn(event) ?? (needsToken(route) ? 'strict' : 'lenient')) === 'lenient') return;
    const known = QUERY_PARAMETERS[route.operation] ?? [];
    const given = Object.keys(event.multiValueQueryStringParameters ?? {});
    const name = given.find((each) => !known.includes(each) && !IGNORED.test(each));
    if (name === undefined) return;
    const shown = name.slice(0, SHOWN).toWellFormed() || 'without a name';
    const hint = hintAt(name, known);
    throw new ServiceError('unknown-parameter', `Unknown parameter ${shown}${hint ? `: ${hint}` : ''}`);
  },
});
