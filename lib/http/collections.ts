import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Page } from '../../schemas/page.ts';
import type { CursorQuery, PageQuery, UserPage } from '../users/listing/listing.ts';
import { represent, type User } from '../users/user.ts';
import { toCsv } from './csv.ts';
import { cursorLinks, pageLinks } from './links.ts';
import { CSV_TYPE, JSON_TYPE } from './mediaTypes.ts';
import { ok } from './responses.ts';

/** What users in order can be answered as; the first is the default. */
export const COLLECTION_TYPES = [JSON_TYPE, CSV_TYPE] as const;

/** Set by the negotiation in the stack. */
const wantsCsv = (context: Context): boolean =>
  'preferredMediaType' in context && context.preferredMediaType === CSV_TYPE;

const csv = (users: readonly User[], headers: Record<string, string>): APIGatewayProxyResult => ({
  statusCode: 200,
  headers: { 'content-type': 'text/csv; charset=utf-8; header=present', ...headers },
  body: toCsv(users),
});

/** One page with its place in the whole. Past the end it is empty and the last, but not the first. */
export function toPage({ users, total }: UserPage, { number, size }: PageQuery): Page {
  const totalPages = Math.ceil(total / size);
  return {
    content: users.map(represent),
    totalElements: total,
    totalPages,
    number,
    size,
    first: number === 0,
    last: number >= totalPages - 1,
  };
}

export function okPage(
  event: APIGatewayProxyEvent,
  context: Context,
  query: PageQuery,
  found: UserPage,
): APIGatewayProxyResult {
  const page = toPage(found, query);
  const headers = { 'x-total-count': String(found.total), ...pageLinks(event, page) };
  return wantsCsv(context) ? csv(found.users, headers) : ok(page, headers);
}

export function okBatch(
  event: APIGatewayProxyEvent,
  context: Context,
  query: CursorQuery,
  users: readonly User[],
): APIGatewayProxyResult {
  const headers = cursorLinks(event, users, query.size);
  return wantsCsv(context) ? csv(users, headers) : ok(users.map(represent), headers);
}

/** Every user: the number of them is the total. */
export function okAll(context: Context, users: readonly User[]): APIGatewayProxyResult {
  const headers = { 'x-total-count': String(users.length) };
  return wantsCsv(context) ? csv(users, headers) : ok(users.map(represent), headers);
}
