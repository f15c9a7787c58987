import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { IsKnown, Tag } from '../users/listing/listing.ts';
import { matchesWeakly } from './conditional.ts';
import { CSV_TYPE, chosenType, JSON_TYPE } from './mediaTypes.ts';

/** The media types of a list of users. The first is the default. */
export const COLLECTION_TYPES = [JSON_TYPE, CSV_TYPE] as const;

/** As a client that reads this service's own type again sends it. */
const CSV_CONTENT_TYPE = `${CSV_TYPE}; charset=utf-8; header=present`;

export const wantsCsv = (event: APIGatewayProxyEvent): boolean => chosenType(event, COLLECTION_TYPES) === CSV_TYPE;

/** RFC 9110, section 8.8.3.3: each representation has a tag of its own. */
const quoted = (tag: Tag, isCsv: boolean): string => `"${tag}${isCsv ? '-csv' : ''}"`;

/** What a list has in its 200 and in its 304. The tag is weak: it also changes when users are written who are not in the list. */
export const collectionHeaders = (event: APIGatewayProxyEvent, tag: Tag, isCsv = wantsCsv(event)) => ({
  'content-type': isCsv ? CSV_CONTENT_TYPE : JSON_TYPE,
  etag: `W/${quoted(tag, isCsv)}`,
});

/** Whether `If-None-Match` says that the client already has this representation. Undefined if the client does not ask. */
export function clientHas(event: APIGatewayProxyEvent, isCsv = wantsCsv(event)): IsKnown | undefined {
  const field = event.headers['if-none-match'];
  return field === undefined ? undefined : (tag) => matchesWeakly(field, quoted(tag, isCsv));
}
