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

/** The most unknown parameters that a message names: an address has room for thousands. */
const MOST_NAMED = 20;

/** Unknown parameters, each with the one that is probably meant. */
function messageOf(unknown: readonly string[], hintOf: (name: string) => string | undefined): string {
  const named = unknown.slice(0, MOST_NAMED).map((name) => {
    const hint = hintOf(name);
    return (shown(name) || 'without a name') + (hint ? `: ${hint}` : '');
  });
  const others = unknown.length - named.length;
  if (others > 0) named.push(`and ${others} more`);
  return `Unknown parameter${named.length > 1 ? 's' : ''} ${named.join('; ')}`;
}

/** Pages and files of documentation are the same whatever is asked. Issuers and caches add parameters to their addresses. */
const isRefusing = (event: APIGatewayProxyEvent, route: Route): boolean =>
  route.isStrict === true || (handlingOf(event) ?? (needsToken(route) ? 'strict' : 'lenient')) === 'strict';

/**
 * A list without the filter that was asked for would be a list of everybody, and the client would take the first user for the one that it
 * has asked for.
 *
 * @throws {ServiceError} 400 for all parameters that the endpoint does not take, each with the one that is probably meant
 */
export function refuseUnknown(
  api: Api,
  route: Route | undefined,
  { names, isTaken }: Takes<unknown>,
  event: APIGatewayProxyEvent,
): void {
  if (!route || !isRefusing(event, route)) return;
  const given = Object.keys(event.multiValueQueryStringParameters ?? {});
  const unknown = given.filter((each) => !isTaken(each) && (route.isStrict || !IGNORED.test(each)));
  if (unknown.length === 0) return;
  throw httpError(
    'unknown-parameter',
    messageOf(unknown, (name) => api.hintAt(name, names)),
  );
}
