import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { User } from '../../users/user.ts';

/** The path and query of the request with some parameters changed. It keeps the stage or base path. */
function withParameters(event: APIGatewayProxyEvent, changed: Record<string, number | string>): string {
  const parameters = new URLSearchParams();
  for (const [name, values] of Object.entries(event.multiValueQueryStringParameters ?? {})) {
    if (!Object.hasOwn(changed, name)) for (const value of values ?? []) parameters.append(name, value);
  }
  for (const [name, value] of Object.entries(changed)) parameters.append(name, String(value));
  return `${event.requestContext.path}?${parameters}`;
}

/** RFC 8288. */
const linkHeader = (links: Record<string, string>): Record<string, string> => {
  const entries = Object.entries(links).map(([rel, target]) => `<${target}>; rel="${rel}"`);
  return entries.length === 0 ? {} : { link: entries.join(', ') };
};

/** A link `next` to the same request with some parameters changed. */
export const nextLink = (event: APIGatewayProxyEvent, changed: Record<string, number | string>) =>
  linkHeader({ next: withParameters(event, changed) });

interface PagePosition {
  number: number;
  size: number;
  totalPages: number;
}

/** first, prev, next and last, if there are such pages. Past the end, prev is the last page. */
export function pageLinks(
  event: APIGatewayProxyEvent,
  { number, size, totalPages }: PagePosition,
): Record<string, string> {
  // An empty set has one page, which is empty.
  const last = Math.max(totalPages - 1, 0);
  const to = (page: number) => withParameters(event, { page, size });
  return linkHeader({
    first: to(0),
    ...(number > 0 && { prev: to(Math.min(number - 1, last)) }),
    ...(number < last && { next: to(number + 1) }),
    last: to(last),
  });
}

/** next, if the batch is full: no user comes after a smaller batch. */
export function cursorLinks(event: APIGatewayProxyEvent, batch: readonly User[], size: number): Record<string, string> {
  const last = batch.at(-1);
  return last && batch.length === size ? nextLink(event, { cursor: last.id }) : {};
}
