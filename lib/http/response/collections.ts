import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Page } from '../../../schemas/page.ts';
import type {
  CursorQuery,
  PageQuery,
  Unchanged,
  UserBatch,
  UserPage,
  UserStream,
} from '../../users/listing/listing.ts';
import { represent, type User } from '../../users/user.ts';
import { collectionEtagOf } from '../collectionTags.ts';
import { CSV_TYPE, JSON_TYPE } from '../mediaTypes.ts';
import { toCsv } from './csv.ts';
import { cursorLinks, pageLinks } from './links.ts';
import { ok } from './responses.ts';
import type { StreamedResult } from './streaming.ts';

/** The media types of a list of users. The first is the default. */
export const COLLECTION_TYPES = [JSON_TYPE, CSV_TYPE] as const;

/** The negotiation in `withMiddlewares` sets it. */
const wantsCsv = (context: Context): boolean =>
  'preferredMediaType' in context && context.preferredMediaType === CSV_TYPE;

const CSV_CONTENT_TYPE = `${CSV_TYPE}; charset=utf-8; header=present`;

const csv = (users: readonly User[], headers: Record<string, string>): APIGatewayProxyResult => ({
  statusCode: 200,
  headers: { 'content-type': CSV_CONTENT_TYPE, ...headers },
  body: toCsv(users),
});

/** The body of a page. A page past the end is empty, `last`, and not `first`. */
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

const notModified = ({ tag }: Unchanged) => ({ statusCode: 304, headers: { etag: collectionEtagOf(tag) }, body: '' });

export function okPage(
  event: APIGatewayProxyEvent,
  context: Context,
  query: PageQuery,
  found: UserPage | Unchanged,
): APIGatewayProxyResult {
  if (!found.users) return notModified(found);
  const page = toPage(found, query);
  const headers = {
    etag: collectionEtagOf(found.tag),
    'x-total-count': String(found.total),
    ...pageLinks(event, page),
  };
  return wantsCsv(context) ? csv(found.users, headers) : ok(page, headers);
}

export function okBatch(
  event: APIGatewayProxyEvent,
  context: Context,
  query: CursorQuery,
  found: UserBatch | Unchanged,
): APIGatewayProxyResult {
  const { users, tag } = found;
  if (!users) return notModified(found);
  const headers = { etag: collectionEtagOf(tag), ...cursorLinks(event, users, query.size) };
  return wantsCsv(context) ? csv(users, headers) : ok(users.map(represent), headers);
}

/** Users per chunk of a stream: about 10 KB. */
const CHUNK = 50;

async function* inChunks<Item>(first: IteratorResult<Item>, rest: AsyncIterator<Item>): AsyncGenerator<Item[]> {
  let chunk: Item[] = [];
  for (let next = first; !next.done; next = await rest.next()) {
    chunk.push(next.value);
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

async function* jsonChunks(chunks: AsyncIterable<User[]>): AsyncGenerator<string> {
  let separator = '[';
  for await (const users of chunks) {
    yield separator + users.map((user) => JSON.stringify(represent(user))).join(',');
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

async function* csvChunks(chunks: AsyncIterable<User[]>): AsyncGenerator<string> {
  yield toCsv([]);
  for await (const users of chunks) yield toCsv(users, { header: false });
}

/** Streams the users as they are read. It waits for the first one, so that an early failure can still be an error response. */
export async function okStream(context: Context, found: UserStream | Unchanged): Promise<StreamedResult> {
  if (!found.users) return notModified(found);
  const { tag, users, total } = found;
  const iterator = users[Symbol.asyncIterator]();
  const chunks = inChunks(await iterator.next(), iterator);
  const isCsv = wantsCsv(context);
  const type = isCsv ? CSV_CONTENT_TYPE : JSON_TYPE;
  return {
    statusCode: 200,
    headers: { 'content-type': type, etag: collectionEtagOf(tag), 'x-total-count': String(total) },
    body: isCsv ? csvChunks(chunks) : jsonChunks(chunks),
  };
}
