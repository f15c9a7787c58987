import type { TaggedUser, User } from './connection.ts';
import { fieldsOf, patchTo } from './edit.ts';
import { toFailure } from './failure.ts';
import { useShared } from './shared.ts';

/** Says what was done to a user, and takes it back when that is asked for, unless somebody has changed the user since. */
export function useUndo() {
  const { connection, tell } = useShared();

  async function comeBack(user: User): Promise<string> {
    await connection.user('PUT', `/${user.id}`, { json: user, headers: { 'if-none-match': '*' } });
    return `${user.name} is back`;
  }

  return {
    onSaved: (before: User, { user, etag }: TaggedUser) =>
      tell(`${user.name} was saved`, async () => {
        await connection.user('PATCH', `/${user.id}`, {
          json: patchTo(fieldsOf(before), fieldsOf(user)),
          ifMatch: etag,
        });
        return `${before.name} is as before`;
      }),
    onCreated: ({ user, etag }: TaggedUser) =>
      tell(`${user.name} was created`, async () => {
        await connection.ask('DELETE', `/${user.id}`, { ifMatch: etag });
        return `${user.name} is gone again`;
      }),
    onDeleted: (user: User) => tell(`${user.name} was deleted`, () => comeBack(user)),
    bringBack: (user: User) =>
      comeBack(user).then(tell, (error) =>
        tell(toFailure(error).status === 412 ? `${user.name} is back already` : toFailure(error).message),
      ),
  };
}
