import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { ServiceError } from '../ground/index.ts';
import { hintAt, shown } from '../http/hints.ts';
import { isAmong, QUERY_PARAMETERS } from '../http/listingRules.ts';
import { needsToken, routeOf } from '../http/routes.ts';
import { handlingOf, isStrict } from './preferences.ts';

/** What others add to addresses, to pass caches and to count visitors. It asks for nothing here. */
const IGNORED = /^(?:_|utm_)|^(?:gclid|fbclid)$/;

/**
 * A list without the filter that was asked for would be a list of everybody, and the client would take the first for whom it has asked.
 * Pages and files of the documentation are the same whatever is asked. Issuers and caches add what they like to their addresses.
 *
 * @throws {ServiceError} 400 for the first parameter that the endpoint does not know, with what is probably meant
 */
export function refuseUnknown(event: APIGatewayProxyEvent, { functionName }: Context): void {
  const route = routeOf(event, functionName);
  const isEdit = isStrict(event, functionName);
  const handling = isEdit ? 'strict' : (handlingOf(event) ?? (route && needsToken(route) ? 'strict' : 'lenient'));
  if (!route || handling === 'lenient') return;
  const known = QUERY_PARAMETERS[route.operation] ?? [];
  const given = Object.keys(event.multiValueQueryStringParameters ?? {});
  const name = given.find((each) => !isAmong(known, each) && (isEdit || !IGNORED.test(each)));
  if (name === undefined) return;
  const hint = hintAt(name, known);
  const message = `Unknown parameter ${shown(name) || 'without a name'}`;
  throw new ServiceError('unknown-parameter', hint ? `${message}: ${hint}` : message);
}
