import type { APIGatewayProxyEvent } from 'aws-lambda';
import { systemRuntime } from '../ground/index.ts';
import type { IsKnown, Tag } from '../replica/index.ts';
import { chosenType, isNotModified, MEDIA } from '../rest/index.ts';
import { filterNamed, isBound } from '../users/filters.ts';
import { isDuration } from './parameters/moments.ts';

/** The media types of a list of users. The first is the default. */
export const COLLECTION_TYPES = [MEDIA.json, MEDIA.csv, MEDIA.ndjson] as const;

export type CollectionType = (typeof COLLECTION_TYPES)[number];

/** The headers of a list in each type. `response/forms.ts` has how it is written. */
const FORMS: Readonly<Record<CollectionType, { contentType: string; tagEnd: string }>> = {
  [MEDIA.json]: { contentType: MEDIA.json, tagEnd: '' },
  // As a client that reads this service's own type again sends it.
  [MEDIA.csv]: { contentType: `${MEDIA.csv}; charset=utf-8; header=present`, tagEnd: '-csv' },
  [MEDIA.ndjson]: { contentType: MEDIA.ndjson, tagEnd: '-ndjson' },
};

/** The type that a client wants, of a request that was not refused for it. */
export const typeFor = (event: APIGatewayProxyEvent): CollectionType =>
  (chosenType(event, COLLECTION_TYPES) ?? MEDIA.json) as CollectionType;

/** Of users since a while before now, who become others although nobody writes: their tag is that of the moment. */
function momentOf({ multiValueQueryStringParameters }: APIGatewayProxyEvent): string {
  const given = Object.entries(multiValueQueryStringParameters ?? {});
  const isSince = given.some(([name, values]) => isBound(filterNamed(name)?.asks) && values?.some(isDuration));
  return isSince ? `-${systemRuntime.now()}` : '';
}

/** RFC 9110, section 8.8.3.3: each representation has a tag of its own. */
const quoted = (event: APIGatewayProxyEvent, tag: Tag, type: CollectionType): string =>
  `"${tag}${momentOf(event)}${FORMS[type].tagEnd}"`;

/** The headers of a list in its 200 and in its 304. The tag is weak: it also changes when users are written who are not in the list. */
export const collectionHeaders = (event: APIGatewayProxyEvent, tag: Tag, type = typeFor(event)) => ({
  'content-type': FORMS[type].contentType,
  etag: `W/${quoted(event, tag, type)}`,
});

/** Whether `If-None-Match` says that the client already has this representation. Undefined if the client does not ask. */
export function clientHas(event: APIGatewayProxyEvent, type = typeFor(event)): IsKnown | undefined {
  if (event.headers['if-none-match'] === undefined) return undefined;
  return (tag) => isNotModified(event, quoted(event, tag, type));
}
