import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { badRequest } from '../errors.ts';
import { represent, type User } from '../users/user.ts';
import { etagOf, isNotModified } from './conditional.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/**
 * Lambda lets a buffered answer have 6 MB (6,291,556 bytes) with its envelope, in which every quote of the body is
 * escaped; the rest is for the headers.
 */
const MAX_ANSWER_BYTES = 6_250_000;

/** At 200 bytes, which is what a user has, an answer is then about 4 MB; the function holds twice that. */
export const MAX_USERS_AT_ONCE = 20_000;

export const ok = (body: object, headers: Record<string, string> = {}): APIGatewayProxyResult => ({
  statusCode: 200,
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify(body),
});

/** One user, with its ETag. */
export const okUser = (user: User): APIGatewayProxyResult => ok(represent(user), { etag: etagOf(user) });

/** One user, or 304 when the client has this version. */
export const okUnlessKnown = (event: APIGatewayProxyEvent, user: User): APIGatewayProxyResult =>
  isNotModified(event, user) ? { statusCode: 304, headers: { etag: etagOf(user) }, body: '' } : okUser(user);

/** A new user, with its place below the path that was posted to, which includes the stage. */
export const createdUser = ({ requestContext }: APIGatewayProxyEvent, user: User): APIGatewayProxyResult => ({
  statusCode: 201,
  headers: { ...JSON_TYPE, etag: etagOf(user), location: `${requestContext.path.replace(/\/$/, '')}/${user.id}` },
  body: JSON.stringify(represent(user)),
});

/** @throws {ServiceError} 400 when the answer is larger than Lambda can give */
export function withinLimit(answer: APIGatewayProxyResult): APIGatewayProxyResult {
  if (Buffer.byteLength(JSON.stringify(answer)) <= MAX_ANSWER_BYTES) return answer;
  throw badRequest('All users together are more than an answer can hold: use /api/users?cursor=0, batch by batch');
}

export const noContent = (headers: Record<string, string> = {}): APIGatewayProxyResult => ({
  statusCode: 204,
  headers,
  body: '',
});
