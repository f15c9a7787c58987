/** The members of users in bodies that nothing comes of, because no user has them. */
import type { JsonPatchOperation } from '../../../schemas/patches.ts';
import type { Failure } from '../../ground/index.ts';
import { type Ignoring, isObject, shown } from '../../rest/index.ts';
import { FIELD_NAMES, GIVEN } from '../../users/user.ts';
import { memberMeant } from '../hints.ts';
import { within } from './validation.ts';

/** The members that a client may send, as it may have got them. */
const KNOWN = /* @__PURE__ */ new Set<string>([...FIELD_NAMES, ...GIVEN]);

const unknownIn = (body: unknown): string[] =>
  isObject(body) ? Object.keys(body).filter((name) => !KNOWN.has(name)) : [];

function failureOf(name: string): Failure {
  const meant = memberMeant(name, FIELD_NAMES);
  return { detail: `${shown(name)} is not known${meant ? `: ${meant}` : ''}`, pointer: within('', name) };
}

/** Of a user, and of a merge patch of one. */
export const ignoring: Ignoring = { namesIn: unknownIn, failureOf };

/** The member that a pointer begins with (RFC 6901, section 4). Undefined: the user itself. */
const memberOf = (pointer: string): string | undefined =>
  pointer === '' ? undefined : pointer.split('/')[1]?.replaceAll('~1', '/').replaceAll('~0', '~');

/** The names that the operations of a JSON Patch leave on a user: one may take away what an earlier one has put there. */
function leftBy(patch: unknown): string[] {
  let left = new Set<string>();
  for (const { op, path, from, value } of patch as readonly JsonPatchOperation[]) {
    const [to, source] = [memberOf(path), op === 'move' ? memberOf(from) : undefined];
    if (op === 'test') continue;
    if (op === 'remove') left.delete(to ?? '');
    else if (to === undefined) left = new Set(unknownIn(value));
    else if (!KNOWN.has(to)) left.add(to);
    if (source !== undefined && source !== to) left.delete(source);
  }
  return [...left];
}

/** Of the body of a PATCH, in either form. */
export const ignoringOfPatch: Ignoring = {
  namesIn: (body) => (Array.isArray(body) ? leftBy(body) : unknownIn(body)),
  failureOf,
};
