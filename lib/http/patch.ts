import { applyPatch, type Operation } from 'rfc6902';
import type { JsonPatch } from '../../schemas/jsonPatch.ts';
import type { MergePatch } from '../../schemas/mergePatch.ts';
import { ServiceError } from '../errors.ts';
import { pickFields, represent, type User, type UserFields } from '../users/user.ts';
import type { BodyRules } from './body.ts';
import { ACCEPT_PATCH, JSON_PATCH_TYPE, JSON_TYPE, MERGE_PATCH_TYPE } from './mediaTypes.ts';
import { checkUser } from './userBody.ts';
import { createValidator } from './validation.ts';
import { isJsonPatch, isMergePatch } from './validators.ts';

/**
 * What a patch makes of a user. The result must be as valid as the body of a PUT.
 *
 * @throws {ServiceError} 400 when it is not, 409 when the patch does not apply to this user
 */
export type Patch = (user: User) => UserFields;

const checkMergePatch = createValidator(isMergePatch);
const checkJsonPatch = createValidator(isJsonPatch);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 7396, section 2: members replace those of their name, null removes them, objects are merged member by member. */
export function mergePatched(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatched(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

/** RFC 7396 on the fields of a user. */
export const mergeInto =
  (patch: MergePatch): Patch =>
  (user) =>
    pickFields(checkUser(mergePatched(pickFields(user), patch)));

/** What the library throws at a place that cannot be, such as a member of a string, is a failure like those that it returns. */
function tryOperation(document: object, operation: object): Error | null | undefined {
  try {
    return applyPatch(document, [operation as Operation])[0];
  } catch (error) {
    if (error instanceof TypeError) return error;
    throw error;
  }
}

/** A patch that copies the whole into a part of itself doubles it with each operation. */
const MAX_PATCHED_CHARACTERS = 100_000;

/** RFC 6902 on the representation of a user. All operations apply, or none. */
export const applyTo =
  (patch: JsonPatch): Patch =>
  (user) => {
    const document = structuredClone(represent(user));
    for (const [i, operation] of patch.entries()) {
      const failure = tryOperation(document, structuredClone(operation));
      const isTooLarge = operation.op === 'copy' && JSON.stringify(document).length > MAX_PATCHED_CHARACTERS;
      if (failure || isTooLarge) {
        throw new ServiceError(409, `Operation ${i} of the patch (${operation.op}) does not apply to the user`);
      }
    }
    return pickFields(checkUser(document));
  };

const readMergePatch = (body: unknown): Patch => mergeInto(checkMergePatch(body));

const readers = {
  [MERGE_PATCH_TYPE]: readMergePatch,
  [JSON_PATCH_TYPE]: (body: unknown): Patch => applyTo(checkJsonPatch(body)),
  [JSON_TYPE]: readMergePatch,
};

export const patchBody: BodyRules<Patch> = { readers, refusalHeaders: { 'accept-patch': ACCEPT_PATCH } };
