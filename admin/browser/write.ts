import { ask, askUser, type TaggedUser, type User } from './connection.ts';
import { bodyOf, type Fields, fieldsOf, patchTo } from './edit.ts';
import { tell } from './state.ts';

/**
 * Makes a user what is wanted. Undefined: absent.
 *
 * @throws {RequestFailure} 412 when somebody has changed her since
 */
async function make(id: number, wanted?: Fields, present?: TaggedUser): Promise<TaggedUser | undefined> {
  const path = `/${id}`;
  if (!present) return wanted && askUser('PUT', path, { json: bodyOf(wanted), headers: { 'if-none-match': '*' } });

  const { user, etag: ifMatch } = present;
  if (wanted) return askUser('PATCH', path, { json: patchTo(wanted, fieldsOf(user)), ifMatch });
  await ask('DELETE', path, { ifMatch });
  return undefined;
}

/** Says what was done to a user, and takes it back if that is asked for. */
export function told(done: string, before?: TaggedUser, after?: TaggedUser): void {
  const user = (after ?? before)?.user;
  if (user) tell(`${user.name} ${done}`, () => make(user.id, before && fieldsOf(before.user), after));
}

export const save = async (before: TaggedUser, wanted: Fields): Promise<void> =>
  told('was saved', before, await make(before.user.id, wanted, before));

export const remove = async (before: TaggedUser): Promise<void> =>
  told('was deleted', before, await make(before.user.id, undefined, before));

export const bringBack = async (user: User): Promise<void> =>
  told('is back', undefined, await make(user.id, fieldsOf(user)));

/** Makes a user what she was at a moment. */
export const restore = async (past: User): Promise<void> => save(await askUser('GET', `/${past.id}`), fieldsOf(past));

/** @param key makes a second attempt answer what the first has created */
export const create = async (json: object, key: string): Promise<void> =>
  told('was created', undefined, await askUser('POST', '', { json, headers: { 'idempotency-key': key } }));
