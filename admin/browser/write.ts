import { ask, askUser, type EditResult, edit, type Page, type TaggedUser, type User } from './connection.ts';
import { bodyOf, type Fields, fieldsOf, patchTo } from './edit.ts';
import { may } from './session.ts';
import { tell } from './state.ts';
import { counted, numberOf } from './time.ts';

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
  if (!user) return;
  tell(`${user.name} ${done}`, async () =>
    told(`${done}: undone`, after, await make(user.id, before && fieldsOf(before.user), after)),
  );
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

/** So many of those who could not be changed are named. */
const NAMED = 3;

/** "As before: 2 users. Not: Ann Lee (The user has changed since the edit)" */
async function said(done: string, { changed, failed }: EditResult): Promise<string> {
  const did = `${done}: ${counted(changed, 'user')}`;
  if (failed.length === 0) return did;
  const id = failed.slice(0, NAMED).map((each) => each.id);
  const { content }: Page = await (await ask('GET', '', { query: { id, fields: 'name' } })).json();
  const names = new Map(content.map((user) => [user.id, user.name]));
  const named = failed.slice(0, NAMED).map(({ id, message }) => `${names.get(id) ?? id} (${message})`);
  return `${did}, ${numberOf(failed.length)} not: ${named.join(', ')}`;
}

/** Runs an edit, or the undo of one, and says what it has done. @param onShare is told what it does meanwhile */
export async function runMany(
  path: string,
  asked: Parameters<typeof edit>[1],
  done: string,
  onShare?: (share: number) => void,
): Promise<void> {
  const result = await edit(path, asked, ({ changed, unchanged, failed, left }) => {
    const begun = changed + unchanged + failed.length;
    onShare?.(begun / (begun + left || 1));
  });
  tell(await said(done, result), may('users:audit') ? () => undoMany(result.edit) : undefined);
}

/** Takes back what an edit has done, also long after it. */
export const undoMany = (id: string, onShare?: (share: number) => void): Promise<void> =>
  runMany(`/edits/${id}/undo`, {}, 'As before', onShare);
