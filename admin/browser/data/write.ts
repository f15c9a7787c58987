import { may, settings } from '../session/session.ts';
import {
  ask,
  askUser,
  notDone,
  RequestFailure,
  type TaggedUser,
  toFailure,
  type User,
  type UserChange,
} from './connection.ts';
import { bodyOf, differing, type Fields, fieldsOf, patchTo, textOf, valuesOf } from './edit.ts';
import { labelOf, short } from './filters.ts';
import { dropUndo, say, tell, type Undo } from './state.ts';
import { DAY_MS, dateOf } from './time.ts';

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

/** The same, once more after an answer that was lost. Then it is refused, as it is done. */
async function makeAgain(id: number, wanted?: Fields, present?: TaggedUser): Promise<TaggedUser | undefined> {
  try {
    return await make(id, wanted, present);
  } catch (error) {
    const { status } = toFailure(error);
    if (status === 404 && !wanted) return undefined;
    const now = status === 412 && wanted && (await askUser('GET', `/${id}`));
    if (!now || differing(wanted, fieldsOf(now.user)).length > 0) throw error;
    return now;
  }
}

/** "Age 41 → 77" */
const wordsOf = (one: Fields, other: Fields): string =>
  differing(one, other)
    .map((property) => {
      const [old, now] = [one, other].map((fields) => short(textOf(fields.get(property))) || 'none');
      return `${labelOf(property)} ${old} → ${now}`;
    })
    .join(', ');

/** Says of a user who is not as she was left here what somebody else has done since. @throws {RequestFailure} */
async function sayWhatElse(id: number, error: unknown, left?: TaggedUser): Promise<never> {
  const { status } = toFailure(error);
  if (status !== 404 && status !== 412) throw error;
  const now = status === 412 && left ? await askUser('GET', `/${id}`) : undefined;
  const words = now && left && wordsOf(fieldsOf(left.user), fieldsOf(now.user));
  const did = left ? (now ? `changed ${words}` : 'deleted this user') : 'brought this user back';
  throw new RequestFailure(status, `Somebody else has ${did} since`);
}

/** Says what was done to a user, and takes it back if that is asked for. */
export function told(done: string, before?: TaggedUser, after?: TaggedUser): void {
  const shown = after ?? before;
  if (!shown) return;
  const { user, etag } = shown;
  // A deletion has a version, too.
  const version = Number(/\d+/.exec(etag)?.[0]) + (after ? 0 : 1);
  tell(`${short(user.name)} ${done}`, { id: user.id, version }, async () =>
    told(
      `${done}: undone`,
      after,
      await makeAgain(user.id, before && fieldsOf(before.user), after).catch((error: unknown) =>
        sayWhatElse(user.id, error, after),
      ),
    ),
  );
}

export async function save(before: TaggedUser, wanted: Fields, done = 'was saved'): Promise<TaggedUser | undefined> {
  if (differing(wanted, fieldsOf(before.user)).length === 0) {
    say(`${short(before.user.name)} is like that already`);
    return before;
  }
  const now = await make(before.user.id, wanted, before);
  told(done, before, now);
  return now;
}

export async function remove(before: TaggedUser): Promise<undefined> {
  await make(before.user.id, undefined, before);
  told('was deleted', before);
}

export const bringBack = async (user: User): Promise<void> =>
  told('is back', undefined, await makeAgain(user.id, fieldsOf(user)));

/** Makes a user what she was at a moment. */
export const restore = async (past: User): Promise<TaggedUser | undefined> =>
  save(await askUser('GET', `/${past.id}`), fieldsOf(past));

/** Gives back what a change has replaced, and leaves all else as it is. Says so if that has got another value since. */
export async function restoreLine(id: number, { before, after }: Pick<UserChange, 'before' | 'after'>): Promise<void> {
  const present = await askUser('GET', `/${id}`);
  const [old, given, now] = [valuesOf(before), valuesOf(after), fieldsOf(present.user)];
  const wanted = new Map(now);
  const properties = differing(old, given);
  for (const property of properties) {
    const value = old.get(property);
    if (value === undefined) wanted.delete(property);
    else wanted.set(property, value);
  }
  const later = differing(given, now).filter((property) => properties.includes(property));
  const replaced = later.map((property) => `${labelOf(property)} ${textOf(now.get(property)) || 'none'}`);
  await save(present, wanted, `was saved${later.length > 0 ? `, in place of ${replaced.join(', ')}` : ''}`);
}

/** @param key makes a second attempt answer what the first has created */
export async function create(wanted: Fields, key: string): Promise<undefined> {
  const headers = { 'idempotency-key': key };
  told('was created', undefined, await askUser('POST', '', { json: bodyOf(wanted), headers }));
}

/** The last thing that was taken back: a second click does nothing. */
let taken: Undo | undefined;

/** Takes something back, which says so itself, or says why not. */
export async function takeBack(undo: Undo): Promise<void> {
  if (taken === undo) return;
  taken = undo;
  say('It is taken back …');
  await undo().catch((error: unknown) => {
    const failure = toFailure(error);
    const isOver = failure.status === 404 || failure.status === 412;
    if (isOver) dropUndo(undo);
    else taken = undefined;
    say(notDone(failure, 'taken back'), isOver ? undefined : undo);
  });
}

/** The last day on which a change of some moment can be taken back: "28 Dec 2026". Undefined if nothing is kept, or this user may not. */
export const keptUntil = (at = Date.now()): string | undefined =>
  settings.historyDays > 0 && may('users:audit') ? dateOf(at + settings.historyDays * DAY_MS) : undefined;
