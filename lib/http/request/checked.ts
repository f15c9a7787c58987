import { type Asked, checkPreconditions, etagOf, preconditionFailed } from '../../rest/index.ts';
import type { User, UserFields } from '../../users/user.ts';

/**
 * A change of a user under the preconditions of its request. An external id that somebody relies on is not changed by who has not looked: by a
 * PUT that does not know the field, or a form that sends an old one.
 *
 * @throws {ServiceError} 412 when they do not hold, or an external id would change without `If-Match`
 */
export const checked =
  (asked: Asked, change: (current: User) => UserFields) =>
  (current: User): UserFields => {
    checkPreconditions(asked, current);
    const next = change(current);
    const isKept = current.externalId === undefined || next.externalId === current.externalId;
    if (!isKept && asked.headers['if-match'] === undefined)
      throw preconditionFailed(`externalId is changed only with If-Match: the ETag of the user is ${etagOf(current)}`);
    return next;
  };
