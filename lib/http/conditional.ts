import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError } from '../errors.ts';
import type { IsKnown, Tag } from '../users/listing/listing.ts';
import type { User } from '../users/user.ts';

/** RFC 9110, section 8.8.3. Strong: every write raises the version, and one version has one representation. */
export const etagOf = ({ version }: Pick<User, 'version'>): string => `"${version}"`;

const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** The tags of a list. What is not one matches nothing. */
const tagsOf = (field: string): string[] => field.match(TAG) ?? [];

const withoutWeakness = (tag: string): string => tag.replace(/^W\//, '');

/** Section 13.1.1: strong comparison, so a weak tag never matches. */
const matchesStrongly = (field: string, etag: string): boolean => field.trim() === '*' || tagsOf(field).includes(etag);

/** Section 13.1.2: weak comparison. */
const matchesWeakly = (field: string, etag: string): boolean =>
  field.trim() === '*' || tagsOf(field).map(withoutWeakness).includes(etag);

/** Weak: one state of all users has several representations. */
export const collectionEtagOf = (tag: Tag): string => `W/"${tag}"`;

/** Tells which state of all users a client that asks has already. */
export const knownTo =
  ({ headers }: APIGatewayProxyEvent): IsKnown =>
  (tag) =>
    headers['if-none-match'] !== undefined && matchesWeakly(headers['if-none-match'], `"${tag}"`);

/** Whether a client that asks has the newest version already. */
export function isNotModified({ headers }: APIGatewayProxyEvent, user: User): boolean {
  const field = headers['if-none-match'];
  return field !== undefined && matchesWeakly(field, etagOf(user));
}

/**
 * What a request demands of the version that it is about to change. To be called with the version that the change is
 * applied to, each time that it is.
 *
 * @throws {ServiceError} 412 when the version does not fulfil `If-Match` or `If-None-Match`
 */
export function checkPreconditions({ headers }: APIGatewayProxyEvent, user: User): void {
  const [match, noneMatch] = [headers['if-match'], headers['if-none-match']];
  const isRefused =
    (match !== undefined && !matchesStrongly(match, etagOf(user))) ||
    (noneMatch !== undefined && matchesWeakly(noneMatch, etagOf(user)));
  if (isRefused) throw new ServiceError(412, `The user has changed: its ETag is now ${etagOf(user)}`);
}
