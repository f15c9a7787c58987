import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { IsKnown, Tag } from '../users/listing/listing.ts';
import { matchesWeakly } from './conditional.ts';

/** It is weak: one state of all users has several representations. */
export const collectionEtagOf = (tag: Tag): string => `W/"${tag}"`;

/** Whether `If-None-Match` says that the client already has the users of a tag. Undefined if the client does not ask. */
export function clientHas({ headers }: APIGatewayProxyEvent): IsKnown | undefined {
  const field = headers['if-none-match'];
  return field === undefined ? undefined : (tag) => matchesWeakly(field, `"${tag}"`);
}
