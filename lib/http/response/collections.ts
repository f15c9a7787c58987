import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { ValueCountsBody } from '../../../schemas/counts.ts';
import type { Page } from '../../../schemas/page.ts';
import type {
  CountsQuery,
  CursorQuery,
  PageQuery,
  Unchanged,
  UserBatch,
  UserCounts,
  UserPage,
  UserStream,
} from '../../users/listing/listing.ts';
import { type ListedUser, represent } from '../../users/user.ts';
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

/** As many as a client can show. What has fewer users is counted together. */
const MAX_COUNTS = 1_000;

/** Counts have one type, whatever else the client takes of a list. */
export function okCounts(
  event: APIGatewayProxyEvent,
  { by }: CountsQuery,
  found: UserCounts | Unchanged,
): APIGatewayProxyResult {
  if (!('counts' in found)) return notModified(event, found, false);
  const { total, tag } = found;
  const all = by.length > 0 ? found.counts : [];
  const counts = all
    .slice(0, MAX_COUNTS)
    .map(({ values, count }) => ({ ...Object.fromEntries(by.map((field, i) => [field, values[i]])), count }));
  const others = all.slice(MAX_COUNTS).reduce((sum, { count }) => sum + count, 0);
  const body: ValueCountsBody = { total, counts, ...(others > 0 && { others }) };
  const headers = { ...collectionHeaders(event, tag, false), 'x-total-count': String(total) };
  return { statusCode: 200, headers, body: JSON.stringify(body) };
}

/** Users per chunk of a stream: about 10 KB. */
const CHUNK = 50;

/** After each chunk what else waits in the container has its turn. */
async function* inChunks<Item>(items: Iterable<Item>): AsyncGenerator<Item[]> {
  let chunk: Item[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

async function* jsonChunks(chunks: AsyncIterable<ListedUser[]>): AsyncGenerator<string> {
  let separator = '[';
  for await (const users of chunks) {
    yield separator + users.map((user) => JSON.stringify(represent(user))).join(',');
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

async function* csvChunks(chunks: AsyncIterable<ListedUser[]>): AsyncGenerator<string> {
  yield toCsv([]);
  for await (const users of chunks) yield toCsv(users, { header: false });
}

/** Streams the users as they are decoded. */
export function okStream(event: APIGatewayProxyEvent, found: UserStream | Unchanged): StreamedResult {
  if (!found.users) return notModified(event, found);
  const { tag, users, total } = found;
  return {
    statusCode: 200,
    headers: { ...collectionHeaders(event, tag), 'x-total-count': String(total) },
    body: wantsCsv(event) ? csvChunks(inChunks(users)) : jsonChunks(inChunks(users)),
  };
}
