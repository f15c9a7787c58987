/** Answers that are one user. */
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { etagOf, isNotModified, MEDIA, ok, pathOf } from '../../rest/index.ts';
import { represent, type User } from '../../users/user.ts';
import { type Shows, shownUser } from '../parameters/fields.ts';

/** One user, with its ETag. */
export const okUser = (user: User): APIGatewayProxyResult => ok(represent(user), { etag: etagOf(user) });

/**
 * One user, or 304 when the client has this version. A tag says nothing about the same tag at another URL (RFC 9110, section 8.8.1), so
 * the same user with other members has the same one: it is that of the version, for `If-Match`.
 */
export const okIfModified = (event: APIGatewayProxyEvent, user: User, shows: Shows): APIGatewayProxyResult =>
  isNotModified(event, etagOf(user))
    ? { statusCode: 304, headers: { 'content-type': MEDIA.json, etag: etagOf(user) }, body: '' }
    : ok(shownUser(user, shows), { etag: etagOf(user) });

const created = (user: User, location: string, more = {}): APIGatewayProxyResult => ({
  ...ok(represent(user), { etag: etagOf(user), location, ...more }),
  statusCode: 201,
});

/** A new user. `Location` is below the path of the request. */
export const createdUser = (event: APIGatewayProxyEvent, user: User, more: Record<string, string> = {}) =>
  created(user, `${pathOf(event)}/${user.id}`, more);

/** A new user at the path of the request. */
export const createdUserHere = (event: APIGatewayProxyEvent, user: User): APIGatewayProxyResult =>
  created(user, pathOf(event).replace(/(?<![^/])[^/]+$/, String(user.id)));
