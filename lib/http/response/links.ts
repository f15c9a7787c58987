import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { User } from '../../users/user.ts';

/** The same request with some parameters changed, relative to the host, so that stage and base path are kept. */
function withParameters(event: APIGatewayProxyEvent, changed: Record<string, number>): string {
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

interface Place {
  number: number;
  size: number;
  totalPages: number;
}

/** first, prev, next and last, as far as there are such pages; from past the end, prev is the last. */
export function pageLinks(event: APIGatewayProxyEvent, { number, size, totalPages }: Place): Record<string, string> {
  const last = totalPages - 1;
  const to = (page: number) => withParameters(event, { page, size });
  if (totalPages === 0) return {};
  return linkHeader({
    first: to(0),
    ...(number > 0 && { prev: to(Math.min(number - 1, last)) }),
    ...(number < last && { next: to(number + 1) }),
    last: to(last),
  });
}

/** next, unless the batch is not full: then there was nothing after it. */
export function cursorLinks(event: APIGatewayProxyEvent, batch: readonly User[], size: number): Record<string, string> {
  const last = batch.at(-1);
  return last && batch.length === size ? linkHeader({ next: withParameters(event, { cursor: last.id }) }) : {};
}
