import {
  type Asked,
  ask,
  askUser,
  type EditResult,
  type Page,
  type TaggedUser,
  type User,
  type UserChange,
} from './connection.ts';
import { bodyOf, differing, type Fields, fieldsOf, patchTo, valuesOf } from './edit.ts';
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

  const headers = { 'if-match': present.etag };
  if (wanted) return askUser('PATCH', path, { json: patchTo(wanted, fieldsOf(present.user)), headers });
  await ask('DELETE', path, { headers });
  return undefined;
}

/** Says what was done to a user, and takes it back if that is asked for. */
export function told(done: string, before?: TaggedUser, after?: TaggedUser): void {
  const user = (after ?? before)?.user;
  if (!user) return;
  tell(
    `${user.name} ${done}`,
    async () => told(`${done}: undone`, after, await make(user.id, before && fieldsOf(before.user), after)),
    String(user.id),
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

/** Gives back what a change has replaced, and leaves all else as it is. */
export async function restoreLine(id: number, { before, after }: Pick<UserChange, 'before' | 'after'>): Promise<void> {
  const present = await askUser('GET', `/${id}`);
  const old = valuesOf(before);
  const wanted = new Map(fieldsOf(present.user));
  for (const property of differing(old, valuesOf(after))) {
    const value = old.get(property);
    if (value === undefined) wanted.delete(property);
    else wanted.set(property, value);
  }
  await save(present, wanted);
}

/** @param key makes a second attempt answer what the first has created */
export async function create(wanted: Fields, key: string): Promise<void> {
  const headers = { 'idempotency-key': key };
  told('was created', undefined, await askUser('POST', '', { json: bodyOf(wanted), headers }));
}

/** Users who could not be changed and are named. More are only counted. */
const NAMED = 3;

/** "As before: 2 users, 1 not: Ann Lee (The user has changed since the edit)" */
async function said(done: string, { changed, failed }: EditResult): Promise<string> {
  const did = `${done}: ${counted(changed, 'user')}`;
  if (failed.length === 0) return did;
  const id = failed.slice(0, NAMED).map((each) => each.id);
  const { content }: Page = await (await ask('GET', '', { query: { id, fields: 'name' } })).json();
  const names = new Map(content.map((user) => [user.id, user.name]));
  const named = failed.slice(0, NAMED).map(({ id, message }) => `${names.get(id) ?? id} (${message})`);
  return `${did}, ${numberOf(failed.length)} not: ${named.join(', ')}`;
}

/**
 * Calls an edit, or the undo of one, until nothing is left to do, and says what it has done.
 *
 * @param onShare is told what it does meanwhile
 */
export async function runMany(
  path: string,
  asked: Asked,
  done: string,
  onShare?: (share: number) => void,
): Promise<void> {
  const result: EditResult = await (await ask('POST', path, asked)).json();
  const { edit, changed, unchanged, failed, left } = result;
  if (left > 0) {
    const begun = changed + unchanged + failed.length;
    onShare?.(begun / (begun + left));
    return runMany(path, { ...asked, json: asked.json && { ...asked.json, edit } }, done, onShare);
  }
  tell(await said(done, result), may('users:audit') ? () => undoMany(edit) : undefined, edit);
}

/** Takes back what an edit has done, also long after it. */
export const undoMany = (edit: string, onShare?: (share: number) => void): Promise<void> =>
  runMany(`/edits/${edit}/undo`, {}, 'As before', onShare);
