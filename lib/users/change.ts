/** The later versions of a user, and its end. */
import type { Origin } from '../replica/index.ts';
import { newUser } from './create.ts';
import { EXTERNAL_ID, findByExternalId, taken } from './unique.ts';
import { hasFields, pickFields, type User, type UserFields } from './user.ts';
import { readUser } from './userItem.ts';
import { contend, refused, type Writer, write } from './write.ts';

/** Applies `next` to the newest version, and again if another writer was faster. Writes nothing if the user stays as it is. */
export const rewrite = <Next extends User | undefined>(
  writer: Writer,
  id: number,
  origin: Origin,
  next: (current: User) => Next | Promise<Next>,
): Promise<Next> =>
  contend(writer, async (tries) => {
    const before = await readUser(writer.database, id);
    const after = await next(before);
    if (after === before) return after;
    const change = { id, version: before.version + 1, before, after, ...origin };
    return (await write(writer, change, tries)) ? after : refused();
  });

/** The user with other fields: the same if they are none. */
export function changed(current: User, others: UserFields): User {
  const fields = pickFields(others);
  return hasFields(current, fields) ? current : { id: current.id, version: current.version + 1, ...fields };
}

/** An item of a user without its value stays longer than these tries only if a version that did not know the field left it behind. */
const MAX_CHANGING = 5;

/**
 * Creates or replaces the user with an external id, which is one of the fields. Of two at once one creates, and the other one replaces. It writes
 * nothing if that changes nothing, for two read units.
 *
 * @param check throws if this user must not be replaced, or none be created; it may be called several times
 */
export const upsertUser = (
  writer: Writer,
  externalId: string,
  fields: UserFields,
  check: (current: User | undefined) => void,
  origin: Origin,
): Promise<{ user: User; isNew: boolean }> =>
  contend(writer, async (tries) => {
    const before = await findByExternalId(writer.database, externalId);
    if (before === 'changing') {
      if (tries > MAX_CHANGING) throw taken(EXTERNAL_ID);
      return refused();
    }
    check(before);
    if (before && hasFields(before, fields)) return { user: before, isNew: false };
    const user = before ? { id: before.id, version: before.version + 1, ...fields } : newUser(writer, fields);
    const change = { id: user.id, version: user.version, before, after: user, ...origin };
    return (await write(writer, change, tries, [], EXTERNAL_ID)) ? { user, isNew: !before } : refused();
  });
