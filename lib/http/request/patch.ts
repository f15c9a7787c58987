import { MAX_BODY_BYTES } from '../../../schemas/limits.ts';
import { type JsonPatchOperation, jsonPatch } from '../../../schemas/patches.ts';
import type { ServiceError } from '../../ground/index.ts';
import { type BodyRules, isObject, jsonPatched, MEDIA, mergePatched } from '../../rest/index.ts';
import { userError } from '../../users/errors.ts';
import { pickFields, represent, type User, type UserFields } from '../../users/user.ts';
import { ignoringOfPatch } from './ignored.ts';
import { checkUser } from './userBody.ts';
import { createValidator } from './validation.ts';
import { isJsonPatch, isMergePatch } from './validators.ts';

/**
 * Applies a patch to a user. The result must be as valid as the body of a PUT.
 *
 * @throws {ServiceError} 400 when the result is not valid, 409 when the patch does not apply to this user
 */
export type Patch = (user: User) => UserFields;

const checkMergePatch = createValidator(isMergePatch);
const checkJsonPatch = createValidator(isJsonPatch);

/** RFC 7396 on the fields of a user. */
export function readMergePatch(body: unknown): Patch {
  const patch = checkMergePatch(body);
  return (user) => pickFields(checkUser(mergePatched(pickFields(user), patch)));
}

/** RFC 6902, section 4.1: an operation adds no container. */
const whyNot = (document: unknown, { path }: JsonPatchOperation): string =>
  path.startsWith('/attributes/') && isObject(document) && !Object.hasOwn(document, 'attributes')
    ? ': it has no attributes, and the first ones are added at /attributes'
    : '';

const conflictOf = (document: unknown, operation: JsonPatchOperation, index: number): ServiceError =>
  userError(
    'patch-conflict',
    `Operation ${index} of the patch (${operation.op}) does not apply to the user${whyNot(document, operation)}`,
  );

/** Runs before validation, which collects the failures of all operations: 64 KB can have thousands. */
function refuseTooMany(body: unknown): unknown {
  if (!Array.isArray(body) || body.length <= jsonPatch.maxItems) return body;
  throw userError('validation', `Request body must have at most ${jsonPatch.maxItems} operations`);
}

const isRounded = (value: unknown): boolean =>
  (typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) ||
  (typeof value === 'object' && value !== null && Object.values(value).some(isRounded));

/** A test must not pass because both numbers were rounded. In other bodies the field that gets such a number is refused. */
function refuseRounded(body: unknown): unknown {
  if (isRounded(body)) throw userError('validation', 'Request body has a number with more digits than are exact');
  return body;
}

/** RFC 6902 on the representation of a user. All operations apply, or none. */
function readJsonPatch(body: unknown): Patch {
  const patch: readonly JsonPatchOperation[] = checkJsonPatch(refuseRounded(refuseTooMany(body)));
  return (user) => {
    const { document, conflict = -1 } = jsonPatched(represent(user), patch);
    const operation = patch[conflict];
    if (operation) throw conflictOf(document, operation, conflict);
    return pickFields(checkUser(document));
  };
}

const readers = {
  [MEDIA.mergePatch]: readMergePatch,
  [MEDIA.jsonPatch]: readJsonPatch,
  [MEDIA.json]: readMergePatch,
};

export const patchBody: BodyRules<Patch> = {
  readers,
  ignoring: ignoringOfPatch,
  maxBytes: MAX_BODY_BYTES,
};
