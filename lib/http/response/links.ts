import type { APIGatewayProxyEvent } from 'aws-lambda';
import { badParameter } from '../../users/errors.ts';
import type { ListedUser } from '../../users/user.ts';

/** The path and query of the request with some parameters changed. It keeps the stage or base path. */
function withParameters(event: APIGatewayProxyEvent, changed: Record<string, number | string>): string {
  const parameters = new URLSearchParams();
  for (const [name, values] of Object.entries(event.multiValueQueryStringParameters ?? {})) {
    if (!Object.hasOwn(changed, name)) for (const value of values ?? []) parameters.append(name, value);
  }
  for (const [name, value] of Object.entries(changed)) parameters.append(name, String(value));
  return `${event.requestContext.path}?${parameters}`;
}

/**
 * Each link repeats the query, which may have 10 KB, and API Gateway passes on 10,240 bytes of header values:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
 */
const MOST_CHARACTERS = 6_000;

/** RFC 8288. Links that do not fit are left out. */
function linkHeader(links: Record<string, string>): Record<string, string> {
  let link = '';
  for (const [rel, target] of Object.entries(links)) {
    const longer = `${link}${link && ', '}<${target}>; rel="${rel}"`;
    if (longer.length <= MOST_CHARACTERS) link = longer;
  }
  return link === '' ? {} : { link };
}

/** A link `next` to the same request with some parameters changed. */
export const nextLink = (event: APIGatewayProxyEvent, changed: Record<string, number | string>) =>
  linkHeader({ next: withParameters(event, changed) });

interface PagePosition {
  number: number;
  size: number;
  totalPages: number;
}

/** next, prev, first and last, if there are such pages. Past the end, prev is the last page. */
export function pageLinks(
  event: APIGatewayProxyEvent,
  { number, size, totalPages }: PagePosition,
): Record<string, string> {
  // An empty set has one page, which is empty.
  const last = Math.max(totalPages - 1, 0);
  const to = (page: number) => withParameters(event, { page, size });
  return linkHeader({
    ...(number < last && { next: to(number + 1) }),
    ...(number > 0 && { prev: to(Math.min(number - 1, last)) }),
    first: to(0),
    last: to(last),
  });
}

/** next, if the batch is full: no user comes after a smaller batch. */
export function cursorLinks(
  event: APIGatewayProxyEvent,
  batch: readonly ListedUser[],
  size: number,
): Record<string, string> {
  const last = batch.at(-1);
  return last && batch.length === size ? nextLink(event, { cursor: last.id }) : {};
}

/**
 * next, to a place of the order. Without it a walk would seem to have ended.
 *
 * @throws {ServiceError} 400 if it does not fit
 */
export function walkLink(event: APIGatewayProxyEvent, after: string): Record<string, string> {
  const header = nextLink(event, { after });
  if (header.link !== undefined) return header;
  throw badParameter(`The query with its place in the order must be at most ${MOST_CHARACTERS} characters long`);
}
