import { mergePatch } from '../../schemas/mergePatch.ts';
import { pickFields, type UserFields } from '../users/user.ts';
import { type BodyRules, JSON_TYPE, MERGE_PATCH_TYPE } from './body.ts';
import { checkUser } from './userBody.ts';
import { createValidator } from './validation.ts';

const MEDIA_TYPES = [MERGE_PATCH_TYPE, JSON_TYPE];

/** A merge patch, sent as what it is or as plain JSON. */
export const patchBody: BodyRules<Record<string, unknown>> = {
  mediaTypes: MEDIA_TYPES,
  check: createValidator(mergePatch),
  refusalHeaders: { 'accept-patch': MEDIA_TYPES.join(', ') },
};

/**
 * RFC 7396 on a user, which is flat: a member replaces the field of its name, null removes it. The result must be as
 * valid as the body of a PUT.
 *
 * @throws {ServiceError} 400 when the patched user is not valid
 */
export const mergeInto = (current: UserFields, patch: Record<string, unknown>): UserFields =>
  pickFields(checkUser({ ...current, ...patch }));
