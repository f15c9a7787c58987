import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';

/** A parameter that changes nothing: all representations are UTF-8, and negotiation compares parameters. */
const UTF_8 = /;\s*charset="?utf-8"?(?=\s*(?:[;,]|$))/gi;

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
  return { ...joined, accept: joined.accept?.replaceAll(UTF_8, '').trim() || '*/*' };
}

/** The path with only the characters of a URI (RFC 3986): it becomes a part of `Link` and `Location`, where others are not allowed. */
const uriOf = (path: string): string => encodeURI(String(path).toWellFormed()).replaceAll('%25', '%');

/** Fills in what API Gateway leaves out or sets to null, as its console does with all headers. */
const complete = (event: Partial<APIGatewayProxyEvent>): Partial<APIGatewayProxyEvent> => ({
  path: event.path ?? '/',
  headers: fieldsOf(event),
  requestContext: Object.assign({}, event.requestContext, {
    path: uriOf(event.requestContext?.path ?? event.path ?? '/'),
  }),
});

/** Comes first, so that every other middleware gets a complete event. */
export const completeEvent = (): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => ({
  before: ({ event }) => {
    Object.assign(event, complete(event));
  },
});
