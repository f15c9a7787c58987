import { type JsonPatchOperation, jsonPatch } from '../../../schemas/jsonPatch.ts';
import { MAX_BODY_BYTES } from '../../../schemas/limits.ts';
import { ACCEPT_PATCH, type BodyRules, JSON_PATCH_TYPE, JSON_TYPE, MERGE_PATCH_TYPE } from '../../rest/index.ts';
import { userError } from '../../users/errors.ts';
import { pickFields, represent, type User, type UserFields } from '../../users/user.ts';
import { applyOperation, PatchConflict } from './jsonPatch.ts';
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

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 7396, section 2: a member replaces the member of the same name, null removes it, objects are merged member by member. */
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
export function readMergePatch(body: unknown): Patch {
  const patch = checkMergePatch(body);
  return (user) => pickFields(checkUser(mergePatched(pickFields(user), patch)));
}

/** RFC 6902, section 4.1: an operation adds no container. */
const whyNot = (document: unknown, { path }: JsonPatchOperation): string =>
  path.startsWith('/attributes/') && isObject(document) && !Object.hasOwn(document, 'attributes')
    ? ': it has no attributes, and the first ones are added at /attributes'
    : '';

function tryOperation(root: { document: unknown }, operation: JsonPatchOperation, index: number): void {
  try {
    applyOperation(root, operation);
  } catch (error) {
    if (!(error instanceof PatchConflict)) throw error;
    throw userError(
      'patch-conflict',
      `Operation ${index} of the patch (${operation.op}) does not apply to the user${whyNot(root.document, operation)}`,
    );
  }
}

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
    const root: { document: unknown } = { document: structuredClone(represent(user)) };
    for (const [index, operation] of patch.entries()) tryOperation(root, operation, index);
    return pickFields(checkUser(root.document));
  };
}

const readers = {
  [MERGE_PATCH_TYPE]: readMergePatch,
  [JSON_PATCH_TYPE]: readJsonPatch,
  [JSON_TYPE]: readMergePatch,
};

export const patchBody: BodyRules<Patch> = {
  readers,
  refusalHeaders: { 'accept-patch': ACCEPT_PATCH },
  maxBytes: MAX_BODY_BYTES,
};
