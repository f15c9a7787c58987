import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { ValueCountsBody } from '../../../schemas/counts.ts';
import type { Page } from '../../../schemas/page.ts';
import { bytesSent, chunksOf, systemRuntime } from '../../ground/index.ts';
import type { IsKnown, Tag } from '../../replica/index.ts';
import { chosenType, isNotModified, MEDIA, type StreamedResult } from '../../rest/index.ts';
import { filterNamed, isBound } from '../../users/filters.ts';
import { writePlace } from '../../users/order.ts';
import type {
  CountsQuery,
  CursorQuery,
  PageQuery,
  StreamQuery,
  Unchanged,
  UserBatch,
  UserCounts,
  UserPage,
  UserStream,
  UserStretch,
  WalkQuery,
} from '../../users/questions.ts';
import type { ListedUser } from '../../users/user.ts';
import { type ShownUser, type Shows, shownUser } from '../parameters/fields.ts';
import { isDuration } from '../parameters/moments.ts';
import { adviceOn } from './advice.ts';
import { type CollectionType, formOf, written, writtenInChunks } from './forms.ts';
import { cursorLinks, pageLinks, walkLink } from './links.ts';

/** The media types of a list of users. The first is the default. */
export const COLLECTION_TYPES = [MEDIA.json, MEDIA.csv, MEDIA.ndjson] as const satisfies CollectionType[];

/** The headers of a list in each type. */
const HEADERS: Readonly<Record<CollectionType, { contentType: string; tagEnd: string }>> = {
  [MEDIA.json]: { contentType: MEDIA.json, tagEnd: '' },
  // As a client that reads this service's own type again sends it.
  [MEDIA.csv]: { contentType: `${MEDIA.csv}; charset=utf-8; header=present`, tagEnd: '-csv' },
  [MEDIA.ndjson]: { contentType: MEDIA.ndjson, tagEnd: '-ndjson' },
};

/** The type that a client wants, of a request that was not refused for it. */
const typeFor = (event: APIGatewayProxyEvent): CollectionType =>
  (chosenType(event, COLLECTION_TYPES) ?? MEDIA.json) as CollectionType;

/** Of users since a while before now, who become others although nobody writes: their tag is that of the moment. */
function momentOf({ multiValueQueryStringParameters }: APIGatewayProxyEvent): string {
  const given = Object.entries(multiValueQueryStringParameters ?? {});
  const isSince = given.some(([name, values]) => isBound(filterNamed(name)?.asks) && values?.some(isDuration));
  return isSince ? `-${systemRuntime.now()}` : '';
}

/** RFC 9110, section 8.8.3.3: each representation has a tag of its own. */
const quoted = (event: APIGatewayProxyEvent, tag: Tag, type: CollectionType): string =>
  `"${tag}${momentOf(event)}${HEADERS[type].tagEnd}"`;

/** The headers of a list in its 200 and in its 304. The tag is weak: it also changes when users are written who are not in the list. */
const collectionHeaders = (event: APIGatewayProxyEvent, tag: Tag, type = typeFor(event)) => ({
  'content-type': HEADERS[type].contentType,
  etag: `W/${quoted(event, tag, type)}`,
});

/** Whether `If-None-Match` says that the client already has this representation. Undefined if the client does not ask. */
export function clientHas(event: APIGatewayProxyEvent, type = typeFor(event)): IsKnown | undefined {
  if (event.headers['if-none-match'] === undefined) return undefined;
  return (tag) => isNotModified(event, quoted(event, tag, type));
}

/** With `fields`, members of the users are absent. */
type ShownPage = Omit<Page, 'content'> & { content: ShownUser[] };

const shownTo = (shows: Shows, users: readonly ListedUser[]): ShownUser[] =>
  users.map((user) => shownUser(user, shows));

/** The body of a page. A page past the end is empty, `last`, and not `first`. */
export function toPage({ users, total }: UserPage, { number, size, ...shows }: PageQuery & Shows): ShownPage {
  const totalPages = Math.ceil(total / size);
  return {
    content: shownTo(shows, users),
    totalElements: total,
    totalPages,
    number,
    size,
    first: number === 0,
    last: number >= totalPages - 1,
  };
}

const notModified = (event: APIGatewayProxyEvent, { tag }: Unchanged, type?: CollectionType) => ({
  statusCode: 304,
  headers: collectionHeaders(event, tag, type),
  body: '',
});

/** @param page what JSON has in place of the users alone */
const okUsers = (
  event: APIGatewayProxyEvent,
  shows: Shows,
  { users, tag }: UserBatch,
  headers: Record<string, string>,
  page?: ShownPage,
): APIGatewayProxyResult => ({
  statusCode: 200,
  headers: { ...collectionHeaders(event, tag), ...headers },
  body:
    page && typeFor(event) === MEDIA.json
      ? JSON.stringify(page)
      : written(formOf(typeFor(event), shows), shownTo(shows, users)),
});

export function okPage(
  event: APIGatewayProxyEvent,
  query: PageQuery & Shows,
  found: UserPage | Unchanged,
): APIGatewayProxyResult {
  if (!found.users) return notModified(event, found);
  const page = toPage(found, query);
  const headers = {
    'x-total-count': String(found.total),
    ...pageLinks(event, page),
    ...adviceOn(event, query.filters, found.total === 0),
  };
  return okUsers(event, query, found, headers, page);
}

export function okBatch(
  event: APIGatewayProxyEvent,
  query: CursorQuery & Shows,
  found: UserBatch | Unchanged,
): APIGatewayProxyResult {
  if (!found.users) return notModified(event, found);
  // Behind the beginning nobody may be left.
  const isEmpty = found.users.length === 0 && query.after === 0;
  const headers = { ...cursorLinks(event, found.users, query.size), ...adviceOn(event, query.filters, isEmpty) };
  return okUsers(event, query, found, headers);
}

export function okWalk(
  event: APIGatewayProxyEvent,
  query: WalkQuery & Shows,
  found: UserStretch | Unchanged,
): APIGatewayProxyResult {
  if (!found.users) return notModified(event, found);
  const { users, total, hasMore } = found;
  const last = users.at(-1);
  const link = last && hasMore && walkLink(event, writePlace(query.order, last));
  const headers = { 'x-total-count': String(total), ...link, ...adviceOn(event, query.filters, total === 0) };
  return okUsers(event, query, found, headers);
}

/** The bytes of counts as Lambda sends them. Beyond it users are counted among the others. */
const MOST_SENT_OF_COUNTS = 2_500_000;

/** A count as it is told. */
const toldOf = (by: CountsQuery['by'], { values, count }: UserCounts['counts'][number]) => ({
  ...Object.fromEntries(by.map((name, i) => [name, values[i]])),
  count,
});

/** A question about counts of which no more are told than can be sent. */
export const sendable = (query: CountsQuery): CountsQuery => ({
  ...query,
  fitting(counts) {
    let [end, bytes] = [0, 0];
    for (const count of counts) {
      bytes += bytesSent(toldOf(query.by, count));
      if (bytes > MOST_SENT_OF_COUNTS) break;
      end++;
    }
    return end;
  },
});

/** Counts have one type, whatever else the client takes of a list. */
export function okCounts(
  event: APIGatewayProxyEvent,
  { by, filters }: CountsQuery,
  found: UserCounts | Unchanged,
): APIGatewayProxyResult {
  if (!('counts' in found)) return notModified(event, found, MEDIA.json);
  const { total, others, tag } = found;
  const counts = by.length > 0 ? found.counts.map((count) => toldOf(by, count)) : [];
  const body: ValueCountsBody = { total, counts, ...(others > 0 && { others }) };
  const headers = {
    ...collectionHeaders(event, tag, MEDIA.json),
    'x-total-count': String(total),
    ...adviceOn(event, filters, total === 0),
  };
  return { statusCode: 200, headers, body: JSON.stringify(body) };
}

/** Users per chunk of a stream: about 10 KB. */
const CHUNK = 50;

/** After each chunk what else waits in the container has its turn. */
async function* inChunks(users: UserStream['users'], shows: Shows): AsyncGenerator<ShownUser[]> {
  for await (const some of users) for (const chunk of chunksOf(some, CHUNK)) yield shownTo(shows, chunk);
}

/** Streams the users as they are decoded. */
export function okStream(
  event: APIGatewayProxyEvent,
  query: StreamQuery & Shows,
  found: UserStream | Unchanged,
): StreamedResult {
  if (!found.users) return notModified(event, found);
  const { tag, users, total } = found;
  return {
    statusCode: 200,
    headers: {
      ...collectionHeaders(event, tag),
      'x-total-count': String(total),
      ...adviceOn(event, query.filters, total === 0),
    },
    body: writtenInChunks(formOf(typeFor(event), query), inChunks(users, query)),
  };
}
