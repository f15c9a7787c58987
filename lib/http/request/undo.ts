import type { UndoRequest } from '../../../schemas/edits.ts';
import { MAX_BODY_BYTES } from '../../../schemas/limits.ts';
import { type BodyRules, MEDIA } from '../../rest/index.ts';
import { createValidator } from './validation.ts';
import { isUndoInput } from './validators.ts';

/** Without a body the whole edit is undone. */
export const undoBody: BodyRules<UndoRequest> = {
  readers: { [MEDIA.json]: createValidator(isUndoInput) },
  absent: {},
  maxBytes: MAX_BODY_BYTES,
};
