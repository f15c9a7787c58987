import { useCallback, useState } from 'preact/hooks';
import { ConflictForm } from './ConflictForm.tsx';
import type { Connection, TaggedUser, User, UserChange } from './connection.ts';
import { Dialog } from './Dialog.tsx';
import {
  type Conflict,
  conflictOf,
  differing,
  type Entered,
  enteredOf,
  type FieldName,
  fieldsOfUser,
  patchOf,
} from './edit.ts';
import { FailureLine } from './FailureLine.tsx';
import { RequestFailure, toFailure } from './failure.ts';
import { History } from './History.tsx';
import type { Session } from './session.ts';
import { Trouble } from './Trouble.tsx';
import { timeOf } from './time.ts';
import { UserForm } from './UserForm.tsx';
import { useOwnClose } from './useOwnClose.ts';
import { type NoticedUser, useUser } from './useUser.ts';

interface Props {
  id: string;
  connection: Connection;
  session: Session;
  onClose(): void;
  /** The user has changed, or is there again. */
  onSaved(user: User): void;
  onDeleted(user: User): void;
}

/** A user who is there: to look at, to edit and to delete. */
function Present({
  tagged,
  set,
  reload,
  ...props
}: Props & { tagged: NoticedUser; set(tagged: NoticedUser): void; reload(): void }) {
  const { connection, session, onSaved, onDeleted, onClose } = props;
  const { user, etag } = tagged;
  const start = enteredOf(user);
  const [entered, setEntered] = useState(start);
  const [failure, setFailure] = useState<RequestFailure>();
  const [conflict, setConflict] = useState<Conflict & { tagged: TaggedUser }>();
  const [isSaving, setSaving] = useState(false);
  const closeOwn = useOwnClose(onClose);
  const mayWrite = session.may('users:write');
  const changed = differing(start, entered);

  /**
   * What to do when somebody else was faster. `base` is what `mine` was made from. `onSame` is told of the user if there is
   * nothing to choose.
   */
  async function meet(base: Entered, mine: Entered, onSame: (now: TaggedUser) => void): Promise<void> {
    const now = await connection.read(String(user.id), new AbortController().signal);
    const both = conflictOf(base, mine, enteredOf(now.user));
    if (both.fields.length > 0) setConflict({ ...both, tagged: now });
    else onSame(now);
  }

  async function attempt(write: () => Promise<void>, onChanged: () => Promise<void>): Promise<void> {
    if (isSaving) return;
    setSaving(true);
    setFailure(undefined);
    try {
      await write().catch((error: unknown) => {
        if (toFailure(error).status !== 412) throw error;
        return onChanged();
      });
    } catch (error) {
      const problem = toFailure(error);
      if (problem.status !== 404) setFailure(problem);
      else if (changed.length === 0) reload();
      // What was entered stays, to be copied from a user who is gone.
      else setFailure(new RequestFailure(404, 'Somebody has deleted this user meanwhile.'));
    } finally {
      setSaving(false);
    }
  }

  function endSave({ user: saved }: TaggedUser): void {
    onSaved(saved);
    closeOwn();
  }

  const save = (base: Entered, mine: Entered, tag: string) =>
    attempt(
      async () => endSave(await connection.change(user.id, tag, patchOf(mine, differing(base, mine)))),
      // The user is as it was to be: it was saved before, and only the answer was lost.
      () => meet(base, mine, endSave),
    );

  const remove = () =>
    attempt(
      async () => {
        await connection.remove(user.id, etag);
        onDeleted(user);
        closeOwn();
      },
      () =>
        meet(start, entered, (now) =>
          set({ ...now, notice: 'Somebody else has changed this user meanwhile. This is how it is now.' }),
        ),
    );

  function choose({ mine, theirs, tagged: now }: Conflict & { tagged: TaggedUser }, own: readonly FieldName[]): void {
    if (isSaving) return;
    if (own.length === 0) set(now);
    else save(theirs, { ...theirs, ...Object.fromEntries(own.map((field) => [field, mine[field]])) }, now.etag);
  }

  return (
    <Dialog label={user.name} isDirty={changed.length > 0 || conflict !== undefined} onClose={onClose}>
      <h2>{user.name}</h2>
      <p class="quiet">
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
          onCancel={() => choose(conflict, [])}
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
              <button type="submit" class="primary" disabled={changed.length === 0} aria-disabled={isSaving}>
                Save
              </button>
              <button type="button" class="danger" aria-disabled={isSaving} onClick={remove}>
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

/** Nobody has this id. Whoever had it can come back, as long as the history has them. */
function Absent({ id, connection, session, onClose, onSaved }: Props) {
  const [last, setLast] = useState<UserChange>();
  const [trouble, setTrouble] = useState<string>();
  const closeOwn = useOwnClose(onClose);
  const onRead = useCallback((newest: UserChange | undefined) => setLast(newest), []);
  const deleted = last?.type === 'deleted' ? last.user : undefined;

  async function bringBack(user: User): Promise<void> {
    try {
      const saved = await connection.bringBack(user.id, fieldsOfUser(user));
      onSaved(saved.user);
      closeOwn();
    } catch (error) {
      setTrouble((error as Error).message);
    }
  }

  return (
    <Dialog label="No such user" isDirty={false} onClose={onClose}>
      <h2>{deleted ? `${deleted.name} was deleted` : 'No such user'}</h2>
      <p>There is no user with the ID {id}.</p>
      {trouble !== undefined && <p role="alert">{trouble}</p>}
      {deleted && session.may('users:write') && (
        <div class="buttons">
          <button type="button" class="primary" onClick={() => bringBack(deleted)}>
            Bring back
          </button>
        </div>
      )}
      {session.may('users:audit') && <History connection={connection} id={id} onRead={onRead} />}
    </Dialog>
  );
}

/** The card of a user. */
export function UserCard(props: Props) {
  const { id, connection, session, onClose } = props;
  const { tagged, failure, set, reload } = useUser(connection, id);
  if (tagged) return <Present key={tagged.etag} {...props} tagged={tagged} set={set} reload={reload} />;
  if (failure?.status === 404) return <Absent {...props} />;
  return (
    <Dialog label="User" isDirty={false} onClose={onClose}>
      {failure ? <Trouble failure={failure} session={session} retry={reload} /> : <p aria-busy="true">Loading …</p>}
    </Dialog>
  );
}
