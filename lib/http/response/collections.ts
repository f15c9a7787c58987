import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { ValueCountsBody } from '../../../schemas/counts.ts';
import type { Page } from '../../../schemas/page.ts';
import { decodeOptional } from '../../users/keys.ts';
import { entriesOf } from '../../users/listing/criteria.ts';
import type {
  CursorQuery,
  PageQuery,
  Tag,
  Unchanged,
  UserBatch,
  UserPage,
  UserStream,
} from '../../users/listing/listing.ts';
import type { ValueCounts } from '../../users/listing/valueCounts.ts';
import { represent, type User } from '../../users/user.ts';
import { collectionHeaders, wantsCsv } from '../collectionTags.ts';
import { toCsv } from './csv.ts';
import { cursorLinks, pageLinks } from './links.ts';
import type { StreamedResult } from './streaming.ts';

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

const notModified = (event: APIGatewayProxyEvent, { tag }: Unchanged, isCsv?: boolean): APIGatewayProxyResult => ({
  statusCode: 304,
  headers: collectionHeaders(event, tag, isCsv),
  body: '',
});

export function okPage(
  event: APIGatewayProxyEvent,
  query: PageQuery,
  found: UserPage | Unchanged,
): APIGatewayProxyResult {
  if (!found.users) return notModified(event, found);
  const page = toPage(found, query);
  const headers = {
    ...collectionHeaders(event, found.tag),
    'x-total-count': String(found.total),
    ...pageLinks(event, page),
  };
  return { statusCode: 200, headers, body: wantsCsv(event) ? toCsv(found.users) : JSON.stringify(page) };
}

export function okBatch(
  event: APIGatewayProxyEvent,
  query: CursorQuery,
  found: UserBatch | Unchanged,
): APIGatewayProxyResult {
  const { users, tag } = found;
  if (!users) return notModified(event, found);
  const headers = { ...collectionHeaders(event, tag), ...cursorLinks(event, users, query.size) };
  return { statusCode: 200, headers, body: wantsCsv(event) ? toCsv(users) : JSON.stringify(users.map(represent)) };
}

/** Counts have one type, whatever else the client takes of a list. */
export function okCounts(
  event: APIGatewayProxyEvent,
  found: (ValueCounts & { tag: Tag }) | Unchanged,
): APIGatewayProxyResult {
  if (!('counts' in found)) return notModified(event, found, false);
  const counts = found.counts.map(({ values, total }) => ({
    ...Object.fromEntries(entriesOf(values).map(([field, value]) => [field, decodeOptional(value)])),
    count: total,
  }));
  const body: ValueCountsBody = { total: found.total, counts, ...(found.others > 0 && { others: found.others }) };
  const headers = { ...collectionHeaders(event, found.tag, false), 'x-total-count': String(found.total) };
  return { statusCode: 200, headers, body: JSON.stringify(body) };
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
export async function okStream(event: APIGatewayProxyEvent, found: UserStream | Unchanged): Promise<StreamedResult> {
  if (!found.users) return notModified(event, found);
  const { tag, users, total } = found;
  const iterator = users[Symbol.asyncIterator]();
  const chunks = inChunks(await iterator.next(), iterator);
  return {
    statusCode: 200,
    headers: { ...collectionHeaders(event, tag), 'x-total-count': String(total) },
    body: wantsCsv(event) ? csvChunks(chunks) : jsonChunks(chunks),
  };
}
