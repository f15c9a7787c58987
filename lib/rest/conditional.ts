import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { ServiceError } from '../ground/index.ts';
import { httpError } from './errors.ts';

/** A resource whose every write raises its version. */
export interface Versioned {
  version: number;
}

/** Header fields, of a request or of an operation of a batch. */
export type Asked = Pick<APIGatewayProxyEvent, 'headers'>;

/** RFC 9110, section 8.8.3. It is strong: every write raises the version, and a version has one representation. */
export const etagOf = ({ version }: Versioned): string => `"${version}"`;

/** An entity tag of a field. A star in quotes is none: its sender means any. */
const TAG = /^(?:W\/)?"(?!\*")[\x21\x23-\x7e\x80-\xff]*"$/;

/** A tag that a user can have: a version has twelve digits at most. */
const VERSION_TAG = /^"\d{1,12}"$/;

/** The members of a list (section 5.6.1), which may be empty. A comma in quotes separates nothing. */
const membersOf = (field: string): string[] =>
  (field.match(/(?:[^,"]|"[^"]*"?)+/g) ?? []).map((member) => member.trim()).filter((member) => member !== '');

const areTags = (members: readonly string[]): boolean => members.every((member) => TAG.test(member));

const withoutWeakness = (tag: string): string => tag.replace(/^W\//, '');

/** Section 13.1.2: weak comparison. A star among tags means any, too: a write that asks for no user must not replace one. */
function matchesWeakly(field: string, etag: string): boolean {
  const members = membersOf(field);
  return members.includes('*') || members.map(withoutWeakness).includes(etag);
}

/** Whether `If-None-Match` says that the client already has what this tag is of, which may be weak. */
export function isNotModified({ headers }: Asked, etag: string): boolean {
  const field = headers['if-none-match'];
  return field !== undefined && matchesWeakly(field, withoutWeakness(etag));
}

/** Section 13.1.2: whether a write is asked for only if there is no user. */
export const mustCreate = ({ headers }: Asked): boolean => membersOf(headers['if-none-match'] ?? '').includes('*');

const preconditionFailed = (message: string): ServiceError => httpError('precondition-failed', message);

const FORM = 'must be * alone, or ETags in double quotes with commas between them';

/** Why `If-Match` does not hold. Section 13.1.1 compares strongly, so a weak tag never matches. */
function refusalOf(members: readonly string[], etag: string): string {
  const now = `the ETag of the user is ${etag}`;
  if (members.length === 0 || !areTags(members)) return `If-Match ${FORM}: ${now}`;
  const strong = members.filter((tag) => tag === withoutWeakness(tag));
  if (strong.length === 0 || members.includes(`W/${etag}`)) return `If-Match never holds for a weak ETag (W/): ${now}`;
  if (!strong.some((tag) => VERSION_TAG.test(tag))) return `If-Match has an ETag that no user can have: ${now}`;
  return `The user has changed: its ETag is now ${etag}`;
}

/**
 * Checks the preconditions of a write. Call it on every try, with the version that is about to be changed, or undefined for a user to be
 * created. An `If-None-Match` that cannot be read does not hold: nobody knows which write is not wanted.
 *
 * @throws {ServiceError} 412 when the version does not meet `If-Match` or `If-None-Match`
 */
export function checkPreconditions({ headers }: Asked, user: Versioned | undefined): void {
  const [match, noneMatch = ''] = [headers['if-match'], headers['if-none-match']];
  if (!user) {
    if (match !== undefined) throw preconditionFailed('If-Match does not hold for a user to be created');
    return;
  }
  const etag = etagOf(user);
  if (match !== undefined && match.trim() !== '*' && !membersOf(match).includes(etag))
    throw preconditionFailed(refusalOf(membersOf(match), etag));
  const now = `the ETag of the user is ${etag}`;
  if (matchesWeakly(noneMatch, etag)) throw preconditionFailed(`If-None-Match does not hold: ${now}`);
  if (!areTags(membersOf(noneMatch))) throw preconditionFailed(`If-None-Match ${FORM}: ${now}`);
}
