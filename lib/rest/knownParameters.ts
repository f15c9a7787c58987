import type { APIGatewayProxyEvent } from 'aws-lambda';
import { httpError } from './errors.ts';
import { handlingOf } from './preferences.ts';
import { type Api, needsToken, type Route } from './routes.ts';
import type { Takes } from './takes.ts';

/** Parameters that others add to addresses, to pass caches and to count visitors. They ask for nothing here. */
const IGNORED = /^(?:_|utm_)|^(?:gclid|fbclid)$/;

/** The most characters of a client's name that a message repeats. */
const MOST_SHOWN = 64;

/** A name of a client's, as messages repeat it. */
export const shown = (name: string): string => name.slice(0, MOST_SHOWN).toWellFormed();

/** Pages and files of documentation are the same whatever is asked. Issuers and caches add parameters to their addresses. */
const isRefusing = (event: APIGatewayProxyEvent, route: Route): boolean =>
  route.isStrict === true || (handlingOf(event) ?? (needsToken(route) ? 'strict' : 'lenient')) === 'strict';

/**
 * A list without the filter that was asked for would be a list of everybody, and the client would take the first user for the one that it
 * has asked for.
 *
 * @throws {ServiceError} 400 for the first parameter that the endpoint does not take, with the one that is probably meant
 */
export function refuseUnknown(
  api: Api,
  route: Route | undefined,
  { names, isTaken }: Takes<unknown>,
  event: APIGatewayProxyEvent,
): void {
  if (!route || !isRefusing(event, route)) return;
  const given = Object.keys(event.multiValueQueryStringParameters ?? {});
  const name = given.find((each) => !isTaken(each) && (route.isStrict || !IGNORED.test(each)));
  if (name === undefined) return;
  const hint = api.hintAt(name, names);
  const message = `Unknown parameter ${shown(name) || 'without a name'}`;
  throw httpError('unknown-parameter', hint ? `${message}: ${hint}` : message);
}
