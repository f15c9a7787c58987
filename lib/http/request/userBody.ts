import { MAX_ATTRIBUTES_BYTES, MAX_BODY_BYTES } from '../../../schemas/limits.ts';
import type { UserInput } from '../../../schemas/user.ts';
import type { Failure } from '../../ground/index.ts';
import { type Asked, type BodyRules, checkPreconditions, etagOf, MEDIA } from '../../rest/index.ts';
import { badParameter, userError } from '../../users/errors.ts';
import { attributesOf, type User, type UserFields } from '../../users/user.ts';
import { ignoring } from './ignored.ts';
import { createValidator } from './validation.ts';
import { isUserInput } from './validators.ts';

const checkFields = createValidator(isUserInput);

/** ajv finds no two texts the same that are `__proto__`. */
const isTwice = (value: unknown): boolean => Array.isArray(value) && new Set(value).size < value.length;

/** The failures of attributes that conform to their schema: rules that no schema can say. */
function* flawsOf(attributes: object): Generator<Failure> {
  if (Buffer.byteLength(JSON.stringify(attributesOf(attributes) ?? {})) > MAX_ATTRIBUTES_BYTES)
    yield { detail: `attributes must have at most ${MAX_ATTRIBUTES_BYTES} bytes as JSON`, pointer: '/attributes' };
  for (const [name, value] of Object.entries(attributes))
    if (isTwice(value))
      yield { detail: `attributes.${name} must not have the same text twice`, pointer: `/attributes/${name}` };
}

/** @throws {ServiceError} 400 with the message of the first field that is not valid */
export function checkUser(body: unknown): UserInput {
  const user = checkFields(body);
  const failures = [...flawsOf(user.attributes ?? {})];
  if (failures[0]) throw userError('validation', failures[0].detail, { failures });
  return user;
}

/** The body of POST and PUT. */
export const userBody: BodyRules<UserInput> = {
  readers: { [MEDIA.json]: checkUser },
  ignoring,
  maxBytes: MAX_BODY_BYTES,
};

/** @throws {ServiceError} 400 when no user can have this external id, or the body has another one */
export function withExternalId(body: UserInput, externalId: unknown): UserInput {
  if ((body.externalId ?? externalId) !== externalId)
    throw badParameter('The user must have the externalId that is asked for, or none');
  return checkUser({ ...body, externalId });
}

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
      throw userError(
        'precondition-failed',
        `externalId is changed only with If-Match: the ETag of the user is ${etagOf(current)}`,
      );
    return next;
  };
