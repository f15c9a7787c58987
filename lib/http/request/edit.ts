import { createHash } from 'node:crypto';
import type { EditRequest } from '../../../schemas/edits.ts';
import { MAX_BODY_BYTES } from '../../../schemas/limits.ts';
import type { Edit } from '../../edits/edits.ts';
import type { ServiceError } from '../../ground/index.ts';
import { type BodyRules, MEDIA } from '../../rest/index.ts';
import { userError } from '../../users/errors.ts';
import { type Attributes, attributeOf, attributesOf, pickFields } from '../../users/user.ts';
import type { editQuery } from '../queries/lists.ts';
import { type Patch, readMergePatch } from './patch.ts';
import { checkUser } from './userBody.ts';
import { createValidator } from './validation.ts';
import { isEditInput } from './validators.ts';

const refused = (message: string): ServiceError => userError('validation', message);

type Texts = ReadonlyMap<string, readonly string[]>;

/**
 * The texts that lists among attributes, such as tags, lose, and those that they get then, by the names of attributes. A merge patch sets an array
 * as a whole (RFC 7396, section 1), so it cannot add a tag to users who have different ones.
 */
interface ListChanges {
  remove: Texts;
  add: Texts;
}

/** @throws {ServiceError} 400 if a list would get and lose the same text */
function refuseContrary({ remove, add }: ListChanges): void {
  for (const [name, texts] of add) {
    const lost = new Set(remove.get(name));
    if (texts.some((text) => lost.has(text))) throw refused(`attributes.${name} has the same text in add and remove`);
  }
}

/**
 * Attributes whose lists lack some texts, and have others once, new ones at their end. A list with nothing left is no value.
 *
 * @throws {ServiceError} 400 if one has another value
 */
export function withLists(attributes: Attributes, { remove, add }: ListChanges): object | undefined {
  const changed = new Map<string, unknown>(Object.entries(attributes));
  for (const name of [...remove.keys(), ...add.keys()]) {
    const list = attributeOf(attributes, name) ?? [];
    if (!Array.isArray(list)) throw refused(`attributes.${name} is not an array of texts`);
    const texts = new Set<string>(list);
    for (const text of remove.get(name) ?? []) texts.delete(text);
    for (const text of add.get(name) ?? []) texts.add(text);
    changed.set(name, [...texts]);
  }
  return attributesOf(Object.fromEntries(changed));
}

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
    throw refused(
      'atMost is required: the most users that may be changed. With "dryRun": true the answer says who match',
    );
  return { ...body, apply: isChange ? toApply(body) : undefined };
}

export const editBody: BodyRules<ReturnType<typeof readBody>> = {
  readers: { [MEDIA.json]: readBody },
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
