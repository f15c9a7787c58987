import { useState } from 'preact/hooks';
import { type Differences, FieldChanges } from './ChangeLine.tsx';
import type { ChangeType, Connection, TaggedUser, User } from './connection.ts';
import { Dialog } from './Dialog.tsx';
import { differencesOf, differing, type Entered, enteredOf, patchOf, rebased } from './edit.ts';
import { toFailure } from './failure.ts';
import { History } from './History.tsx';
import type { Session } from './session.ts';
import { FailureLine } from './Trouble.tsx';
import { timeOf } from './time.ts';
import { UserForm } from './UserForm.tsx';
import type { Reading } from './useReading.ts';
import { useSaving } from './useSaving.ts';
import { addressWith } from './useView.ts';

export interface CardProps {
  id: string;
  /** As of which moment. Undefined: now. */
  at: string | undefined;
  connection: Connection;
  session: Session;
  onClose(): void;
  /** Something was done to the user. */
  onDone(user: User, what: ChangeType): void;
}

/** A user and, if somebody else has changed it while it was edited, what they have changed, and what was entered. */
export type EditedUser = TaggedUser & { theirs?: Differences; mine?: Entered };

type Props = CardProps & { tagged: EditedUser } & Pick<Reading<EditedUser>, 'set'>;

/** A user who is there, to look at, to edit and to delete, or was there at a moment, to look at. */
export function PresentUser({ tagged, set, at, connection, session, onDone, onClose }: Props) {
  const { user, etag, theirs } = tagged;
  const base = enteredOf(user);
  const start = tagged.mine ?? base;
  const [mine, setMine] = useState(start);
  const { attempt, isSaving, failure } = useSaving(onClose);
  const mayWrite = at === undefined && session.may('users:write');
  const changed = differing(base, mine);

  /** Sends a change. If somebody else was faster, their values are shown, and what was entered here stays. */
  const write = (what: ChangeType, send: () => Promise<User>) =>
    attempt(async () => {
      try {
        onDone(await send(), what);
        return true;
      } catch (error) {
        if (toFailure(error).status !== 412) throw error;
      }
      const now = await connection.read(String(user.id), new AbortController().signal);
      const entered = rebased(base, mine, enteredOf(now.user));
      if (changed.length > 0 && differing(entered, enteredOf(now.user)).length === 0) {
        // It was saved before, and only the answer was lost.
        onDone(now.user, 'updated');
        return true;
      }
      set({ ...now, theirs: differencesOf(user, now.user), mine: entered });
      return false;
    });

  const save = async () => (await connection.change(user.id, etag, patchOf(mine, changed))).user;
  const remove = () => connection.remove(user.id, etag).then(() => user);

  return (
    <Dialog label={user.name} isDirty={changed.length > 0} onClose={onClose}>
      <h2>{user.name}</h2>
      <p class="text-light">
        ID {user.id}, created <time dateTime={user.createdAt}>{timeOf(user.createdAt)}</time>
      </p>
      {at !== undefined && (
        <p class="card">
          As it was on {timeOf(at)}. <a href={addressWith({ at: undefined })}>As it is now</a>
        </p>
      )}
      {theirs && (
        <section class="card" role="alert">
          <b>Somebody else has changed this user meanwhile:</b>
          <FieldChanges {...theirs} />
          {changed.length > 0 && 'Below is what you have entered. Look at it, and save it again.'}
        </section>
      )}
      <FailureLine failure={failure} session={session} />
      <UserForm
        start={start}
        errors={failure?.members}
        isSaving={isSaving}
        onEdit={setMine}
        onSubmit={mayWrite ? () => changed.length > 0 && write('updated', save) : undefined}
      >
        {mayWrite && (
          <>
            <button type="submit" disabled={changed.length === 0} aria-disabled={isSaving}>
              Save
            </button>
            <button
              type="button"
              class="outline"
              data-variant="danger"
              aria-disabled={isSaving}
              onClick={() => write('deleted', remove)}
            >
              Delete
            </button>
          </>
        )}
      </UserForm>
      {session.may('users:audit') && <History connection={connection} session={session} id={String(user.id)} />}
    </Dialog>
  );
}
