import { createHash } from 'node:crypto';
import type { EditRequest } from '../../../schemas/edits.ts';
import { MAX_BODY_BYTES } from '../../../schemas/limits.ts';
import type { Edit } from '../../edits/edits.ts';
import { refuseContrary, withLists } from '../../edits/lists.ts';
import { ServiceError } from '../../ground/index.ts';
import { type BodyRules, JSON_TYPE } from '../../rest/index.ts';
import { pickFields } from '../../users/user.ts';
import type { editQuery } from '../queries/edit.ts';
import { type Patch, readMergePatch } from './patch.ts';
import { checkUser } from './userBody.ts';
import { createValidator } from './validation.ts';
import { isEditInput } from './validators.ts';

const refused = (message: string): ServiceError => new ServiceError('validation', message);

const checkEdit = createValidator(isEditInput);

const textsOf = (lists: EditRequest['add']) => new Map(Object.entries(lists?.attributes ?? {}));

/** First the patch, then what lists lose, then what they get. */
function toApply({ patch, remove, add }: EditRequest): Patch {
  const patched = readMergePatch(patch ?? {});
  const lists = { remove: textsOf(remove), add: textsOf(add) };
  refuseContrary(lists);
  if (!remove && !add) return patched;
  return (user) => {
    const { attributes = {}, ...fields } = patched(user);
    return pickFields(checkUser({ ...fields, attributes: withLists(attributes, lists) }));
  };
}

/** @throws {ServiceError} 400 when it says nothing that can be done */
function readBody(given: unknown): EditRequest & { apply: Patch | undefined } {
  const body = checkEdit(given);
  const isChange = [body.patch, body.remove, body.add].some(Boolean);
  if (Boolean(body.delete) === isChange)
    throw refused('Request body must have patch, remove or add, or "delete": true');
  if (body.dryRun && body.edit) throw refused('dryRun cannot be combined with edit');
  if (!body.dryRun && !body.atMost)
    throw refused('atMost is required: how many users may be changed. With "dryRun": true the answer says who match');
  return { ...body, apply: isChange ? toApply(body) : undefined };
}

export const editBody: BodyRules<ReturnType<typeof readBody>> = {
  readers: { [JSON_TYPE]: readBody },
  maxBytes: MAX_BODY_BYTES,
};

/** @throws {ServiceError} 400 without a filter, unless everybody is meant */
export function toEdit(
  { patch, remove, add, apply, ...body }: ReturnType<typeof readBody>,
  { text, ...parameters }: ReturnType<typeof editQuery.read>,
): Edit {
  const isOfAll = Object.values(parameters.filters).every((value) => value === undefined);
  if (isOfAll && !body.everybody)
    throw refused('Without a filter this is an edit of all users: it needs "everybody": true');
  const same = JSON.stringify({ patch, remove, add, atMost: body.atMost });
  const hash = createHash('sha256').update(`${text}\n${same}`).digest('base64url');
  return { ...parameters, apply, hash, atMost: body.atMost ?? 0, name: body.edit ?? undefined };
}
