import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { type Shows, shownUser } from '../http/members.ts';
import { represent, type User } from '../users/user.ts';
import { etagOf, isNotModified } from './conditional.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

export const ok = (body: object, headers: Record<string, string> = {}): APIGatewayProxyResult => ({
  statusCode: 200,
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify(body),
});

/** The part of the path before the last `/api`: the stage, or the base path of a domain. Empty locally. */
export const basePathOf = ({ requestContext }: APIGatewayProxyEvent): string =>
  /^((?:\/[\w.~-]+)*)\/api\//.exec(requestContext.path)?.[1] ?? '';

export const okText = (type: string, body: string, headers: Record<string, string> = {}): APIGatewayProxyResult => ({
  statusCode: 200,
  headers: { 'content-type': `${type}; charset=utf-8`, ...headers },
  body,
});

/** One user, with its ETag. */
export const okUser = (user: User): APIGatewayProxyResult => ok(represent(user), { etag: etagOf(user) });

/**
 * One user, or 304 when the client has this version. A tag says nothing about the same tag at another URL (RFC 9110, section 8.8.1), so
 * the same user with other members has the same one: it is that of the version, for `If-Match`.
 */
export const okIfModified = (event: APIGatewayProxyEvent, user: User, shows: Shows): APIGatewayProxyResult =>
  isNotModified(event, user)
    ? { statusCode: 304, headers: { ...JSON_TYPE, etag: etagOf(user) }, body: '' }
    : ok(shownUser(user, shows), { etag: etagOf(user) });

const created = (user: User, location: string, more = {}): APIGatewayProxyResult => ({
  statusCode: 201,
  headers: { ...JSON_TYPE, etag: etagOf(user), location, ...more },
  body: JSON.stringify(represent(user)),
});

/** The path of the request, which includes the stage. */
const pathOf = ({ requestContext }: APIGatewayProxyEvent): string => requestContext.path.replace(/\/$/, '');

/** A new user. `Location` is below the path of the request. */
export const createdUser = (event: APIGatewayProxyEvent, user: User, more: Record<string, string> = {}) =>
  created(user, `${pathOf(event)}/${user.id}`, more);

/** A new user at the path of the request. */
export const createdUserHere = (event: APIGatewayProxyEvent, user: User): APIGatewayProxyResult =>
  created(user, pathOf(event).replace(/(?<![^/])[^/]+$/, String(user.id)));

export const noContent = (headers: Record<string, string> = {}): APIGatewayProxyResult => ({
  statusCode: 204,
  headers,
  body: '',
});
