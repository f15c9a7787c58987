import type { APIGatewayProxyEvent } from 'aws-lambda';
import { fault } from '../ground/index.ts';
import { acceptOf } from './mediaTypes.ts';

/**
 * The header fields by lower-case name. Several lines of a field are one list (RFC 9110, section 5.3). API Gateway has only the last
 * line in `headers`, and all in `multiValueHeaders`. A line that is repeated counts once, so that `*` stays `*`.
 */
function fieldsOf({ headers, multiValueHeaders }: Partial<APIGatewayProxyEvent>): Record<string, string> {
  const fields = new Map<string, Set<string>>();
  for (const [name, lines] of [...Object.entries(multiValueHeaders ?? {}), ...Object.entries(headers ?? {})]) {
    const key = name.toLowerCase();
    const given = [lines].flat().filter((line) => typeof line === 'string');
    if (given.length > 0) fields.set(key, new Set([...(fields.get(key) ?? []), ...given]));
  }
  const joined = Object.fromEntries([...fields].map(([name, lines]) => [name, [...lines].join(', ')]));
  return { ...joined, accept: acceptOf(joined.accept) };
}

/** The query parameters with all their values. An event that was made by hand may have only the map with one value each. */
const parametersOf = (event: Partial<APIGatewayProxyEvent>): Record<string, string[] | undefined> => ({
  ...Object.fromEntries(
    Object.entries(event.queryStringParameters ?? {}).map(([name, value]) => [name, value == null ? [] : [value]]),
  ),
  ...event.multiValueQueryStringParameters,
});

/** The path with only the characters of a URI (RFC 3986): it becomes a part of `Link` and `Location`, where others are not allowed. */
const uriOf = (path: string): string => encodeURI(String(path).toWellFormed()).replaceAll('%25', '%');

/** Fills in what API Gateway leaves out or sets to null, as its console does with all headers. */
export function complete(given: APIGatewayProxyEvent): APIGatewayProxyEvent {
  const event = given ?? {};
  return {
    ...event,
    path: event.path ?? '/',
    headers: fieldsOf(event),
    multiValueQueryStringParameters: parametersOf(event),
    requestContext: Object.assign({}, event.requestContext, {
      path: uriOf(event.requestContext?.path ?? event.path ?? '/'),
    }),
  };
}

/**
 * Whether a REST API sends such an event. Events of load balancers have no `resource`, those of function URLs and of payload
 * format 2.0 no `httpMethod` either. Format 1.0 is that of a REST API, whose own events name no version:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export const isOfRestApi = (event: Partial<APIGatewayProxyEvent> & { version?: unknown }): boolean =>
  typeof event.httpMethod === 'string' &&
  typeof event.resource === 'string' &&
  [undefined, null, '1.0'].some((version) => version === event.version);

/** Refuses other events: their parameters are not known here, and without them a list of some users would be a list of all. */
export function refuseOtherEvents(event: APIGatewayProxyEvent): void {
  if (isOfRestApi(event)) return;
  throw fault(
    'The event is not one of a REST API: it has no httpMethod and resource, or has another version than 1.0. Nothing was read or written',
  );
}
