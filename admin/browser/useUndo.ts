import { type TaggedUser, toFailure, type User } from './connection.ts';
import { type Fields, fieldsOf, patchTo } from './edit.ts';
import { useShared } from './shared.ts';
import { NO_CARD } from './view.ts';

/** Writes a user, says so, and takes it back when that is asked for, unless somebody has changed the user since. */
export function useUndo() {
  const { connection, go, tell } = useShared();

  const change = ({ user, etag }: TaggedUser, wanted: Fields) =>
    connection.user('PATCH', `/${user.id}`, { json: patchTo(wanted, fieldsOf(user)), ifMatch: etag });
  const erase = ({ user, etag }: TaggedUser) => connection.ask('DELETE', `/${user.id}`, { ifMatch: etag });

  async function comeBack(user: User): Promise<string> {
    await connection.user('PUT', `/${user.id}`, { json: user, headers: { 'if-none-match': '*' } });
    return `${user.name} is back`;
  }

  const onSaved = (before: User, after: TaggedUser): void =>
    tell(`${after.user.name} was saved`, async () => {
      await change(after, fieldsOf(before));
      return `${before.name} is as before`;
    });

  return {
    onSaved,
    save: async (before: TaggedUser, wanted: Fields) => onSaved(before.user, await change(before, wanted)),

    /** Makes a user what she was at a moment. */
    async restore(past: User): Promise<void> {
      const present = await connection.user('GET', `/${past.id}`);
      onSaved(present.user, await change(present, fieldsOf(past)));
    },

    /** @param key makes a second attempt answer what the first has created */
    async create(json: object, key: string): Promise<void> {
      const created = await connection.user('POST', '', { json, headers: { 'idempotency-key': key } });
      tell(`${created.user.name} was created`, async () => {
        await erase(created);
        return `${created.user.name} is gone again`;
      });
    },

    async remove(tagged: TaggedUser): Promise<void> {
      await erase(tagged);
      tell(`${tagged.user.name} was deleted`, () => comeBack(tagged.user));
    },

    /** The card of somebody who is absent closes. */
    async bringBack(user: User): Promise<void> {
      const said = await comeBack(user).catch((error: unknown) => {
        const { status, message } = toFailure(error);
        return status === 412 ? `${user.name} is back already` : message;
      });
      tell(said);
      go(NO_CARD);
    },
  };
}
