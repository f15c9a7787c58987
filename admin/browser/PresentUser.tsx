import { useState } from 'preact/hooks';
import { ConflictForm } from './ConflictForm.tsx';
import type { Connection, TaggedUser, User } from './connection.ts';
import { Dialog } from './Dialog.tsx';
import { type Conflict, conflictOf, differing, type Entered, enteredOf, type FieldName, patchOf } from './edit.ts';
import { RequestFailure, toFailure } from './failure.ts';
import { History } from './History.tsx';
import type { Session } from './session.ts';
import { FailureLine } from './Trouble.tsx';
import { timeOf } from './time.ts';
import { UserForm } from './UserForm.tsx';
import type { Reading } from './useReading.ts';
import { useSaving } from './useSaving.ts';

export interface CardProps {
  id: string;
  connection: Connection;
  session: Session;
  onClose(): void;
  /** The user has changed, or is there again. */
  onSaved(user: User): void;
  onDeleted(user: User): void;
}

/** A user, and what to say about it. */
export type NoticedUser = TaggedUser & { notice?: string };

type Props = CardProps & { tagged: NoticedUser } & Pick<Reading<NoticedUser>, 'set' | 'reload'>;

/** A user who is there: to look at, to edit and to delete. */
export function PresentUser({ tagged, set, reload, connection, session, onSaved, onDeleted, onClose }: Props) {
  const { user, etag } = tagged;
  const start = enteredOf(user);
  const [entered, setEntered] = useState(start);
  const [conflict, setConflict] = useState<Conflict & { tagged: TaggedUser }>();
  const { attempt, isSaving, failure } = useSaving(onClose);
  const mayWrite = session.may('users:write');
  const changed = differing(start, entered);

  function explain(problem: RequestFailure): RequestFailure | undefined {
    if (problem.status !== 404) return problem;
    // What was entered stays, to be copied from a user who is gone.
    if (changed.length > 0) return new RequestFailure(404, 'Somebody has deleted this user meanwhile.');
    reload();
    return undefined;
  }

  /**
   * Sends a change. If somebody else was faster, one chooses between the user as it is now and `mine`, which was made from
   * `base`. `onSame` is told of the user if there is nothing to choose.
   */
  const write = (
    send: () => Promise<boolean>,
    { base, mine, onSame }: { base: Entered; mine: Entered; onSame(now: TaggedUser): boolean },
  ) =>
    attempt(async () => {
      try {
        return await send();
      } catch (error) {
        if (toFailure(error).status !== 412) throw error;
      }
      const now = await connection.read(String(user.id), new AbortController().signal);
      const both = conflictOf(base, mine, enteredOf(now.user));
      if (both.fields.length === 0) return onSame(now);
      setConflict({ ...both, tagged: now });
      return false;
    }, explain);

  function endSave({ user: saved }: TaggedUser): boolean {
    onSaved(saved);
    return true;
  }

  const save = (base: Entered, mine: Entered, tag: string) =>
    write(
      async () => endSave(await connection.change(user.id, tag, patchOf(mine, differing(base, mine)))),
      // The user is as it was to be: it was saved before, and only the answer was lost.
      { base, mine, onSame: endSave },
    );

  async function remove(): Promise<boolean> {
    await connection.remove(user.id, etag);
    onDeleted(user);
    return true;
  }

  function showChanged(now: TaggedUser): boolean {
    set({ ...now, notice: 'Somebody else has changed this user meanwhile. This is how it is now.' });
    return false;
  }

  function choose({ mine, theirs, tagged: now }: Conflict & { tagged: TaggedUser }, own: readonly FieldName[]): void {
    if (isSaving) return;
    if (own.length === 0) set(now);
    else save(theirs, { ...theirs, ...Object.fromEntries(own.map((field) => [field, mine[field]])) }, now.etag);
  }

  return (
    <Dialog label={user.name} isDirty={changed.length > 0 || conflict !== undefined} onClose={onClose}>
      <h2>{user.name}</h2>
      <p class="text-light">
        ID {user.id}, created <time dateTime={user.createdAt}>{timeOf(user.createdAt)}</time>
      </p>
      {tagged.notice !== undefined && <p role="alert">{tagged.notice}</p>}
      <FailureLine failure={failure} session={session} hasForm={conflict === undefined} />
      {conflict ? (
        <ConflictForm
          key={conflict.tagged.etag}
          conflict={conflict}
          isSaving={isSaving}
          onChoose={(own) => choose(conflict, own)}
        />
      ) : (
        <UserForm
          start={start}
          errors={failure?.members}
          isReadOnly={!mayWrite}
          isSaving={isSaving}
          onEdit={setEntered}
          onSubmit={(mine) => differing(start, mine).length > 0 && save(start, mine, etag)}
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
                onClick={() => write(remove, { base: start, mine: entered, onSame: showChanged })}
              >
                Delete
              </button>
            </>
          )}
        </UserForm>
      )}
      {session.may('users:audit') && <History connection={connection} id={String(user.id)} />}
    </Dialog>
  );
}
