import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError } from '../errors.ts';
import type { User } from '../users/user.ts';

/** RFC 9110, section 8.8.3. It is strong: every write raises the version, and a version has one representation. */
export const etagOf = ({ version }: Pick<User, 'version'>): string => `"${version}"`;

const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** The entity tags of a list. Anything else in it is ignored. */
const tagsOf = (field: string): string[] => field.match(TAG) ?? [];

const withoutWeakness = (tag: string): string => tag.replace(/^W\//, '');

/** Section 13.1.1: strong comparison, so a weak tag never matches. */
const matchesStrongly = (field: string, etag: string): boolean => field.trim() === '*' || tagsOf(field).includes(etag);

/** Whether `*` is a member of a list. It should be alone; among tags it means any, too: a write that asks for no user must not replace one. */
const hasAny = (field: string): boolean => /(^|,)\s*\*\s*(,|$)/.test(field.replaceAll(TAG, ''));

/** Section 13.1.2: weak comparison. */
export const matchesWeakly = (field: string, etag: string): boolean =>
  hasAny(field) || tagsOf(field).map(withoutWeakness).includes(etag);

/** Whether `If-None-Match` says that the client already has this version. */
export function isNotModified({ headers }: APIGatewayProxyEvent, user: User): boolean {
  const field = headers['if-none-match'];
  return field !== undefined && matchesWeakly(field, etagOf(user));
}

/** Section 13.1.2: whether a write is asked for only if there is no user. */
export const mustCreate = ({ headers }: APIGatewayProxyEvent): boolean => hasAny(headers['if-none-match'] ?? '');

/** @throws {ServiceError} 412 when a write that creates a user also asks for one that is there */
export function refuseIfMatch({ headers }: APIGatewayProxyEvent): void {
  if (headers['if-match'] !== undefined)
    throw new ServiceError('precondition-failed', 'If-Match does not hold for a user to be created');
}

/**
 * Checks the preconditions of a write. Call it on every try, with the version that is about to be changed.
 *
 * @throws {ServiceError} 412 when the version does not meet `If-Match` or `If-None-Match`
 */
export function checkPreconditions({ headers }: APIGatewayProxyEvent, user: User): void {
  const [match, noneMatch] = [headers['if-match'], headers['if-none-match']];
  const etag = etagOf(user);
  if (match !== undefined && !matchesStrongly(match, etag))
    throw new ServiceError('precondition-failed', `The user has changed: its ETag is now ${etag}`);
  if (noneMatch !== undefined && matchesWeakly(noneMatch, etag))
    throw new ServiceError('precondition-failed', `If-None-Match does not hold: the ETag of the user is ${etag}`);
}
