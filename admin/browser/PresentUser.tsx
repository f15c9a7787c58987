import { useState } from 'preact/hooks';
import { FieldChanges } from './ChangeList.tsx';
import type { TaggedUser, User } from './connection.ts';
import { Drawer } from './Drawer.tsx';
import { differing, type Fields, fieldsOf, patchTo, rebased } from './edit.ts';
import { toFailure } from './failure.ts';
import { History } from './History.tsx';
import { useShared } from './shared.ts';
import { FailureLine } from './Trouble.tsx';
import { timeOf } from './time.ts';
import { UserForm } from './UserForm.tsx';
import { useSaving } from './useSaving.ts';
import { useUndo } from './useUndo.ts';
import { addressWith } from './useView.ts';

/** A user and, if somebody else has changed it while it was edited, how it was before, and what was entered. */
export type EditedUser = TaggedUser & { before?: User; mine?: Fields };

interface Props {
  tagged: EditedUser;
  /** As of which moment. Empty: now. */
  at: string;
  set(tagged: EditedUser): void;
  onClose(): void;
}

/** How a user was at a moment, and the way back to it: of what differs from the present. */
function Past({ user, at, onClose }: { user: User; at: string; onClose(): void }) {
  const { connection, session } = useShared();
  const { onSaved } = useUndo();
  const { attempt, isSaving, failure } = useSaving(onClose);
  const restore = () =>
    attempt(async () => {
      const { user: before, etag } = await connection.user('GET', `/${user.id}`);
      onSaved(
        before,
        await connection.user('PATCH', `/${user.id}`, {
          json: patchTo(fieldsOf(user), fieldsOf(before)),
          ifMatch: etag,
        }),
      );
      return true;
    });
  return (
    <section class="card hstack">
      As it was on {timeOf(at)}
      <a href={addressWith({ at: '' })}>As it is now</a>
      {session.may('users:write') && (
        <button type="button" class="outline small" aria-disabled={isSaving} onClick={restore}>
          Restore this
        </button>
      )}
      <FailureLine failure={failure} />
    </section>
  );
}

/** A user who is there, to look at, to edit and to delete, or was there at a moment, to look at and to restore. */
export function PresentUser({ tagged, at, set, onClose }: Props) {
  const { connection, session } = useShared();
  const { onSaved, onDeleted } = useUndo();
  const { user, etag, before } = tagged;
  const base = fieldsOf(user);
  const start = tagged.mine ?? base;
  const [mine, setMine] = useState(start);
  const { attempt, isSaving, failure } = useSaving(onClose);
  const mayWrite = at === '' && session.may('users:write');
  const isChanged = differing(base, mine).length > 0;

  /** Sends a change. If somebody else was faster, their values are shown, and what was entered here stays. */
  const write = (send: () => Promise<void>) =>
    attempt(async () => {
      try {
        await send();
        return true;
      } catch (error) {
        if (toFailure(error).status !== 412) throw error;
      }
      const now = await connection.user('GET', `/${user.id}`);
      const theirs = fieldsOf(now.user);
      const entered = rebased(base, mine, theirs);
      // If nothing differs, it was saved before, and only the answer was lost.
      const isSaved = isChanged && differing(entered, theirs).length === 0;
      if (isSaved) onSaved(user, now);
      else set({ ...now, before: user, mine: entered });
      return isSaved;
    });

  const save = async () =>
    onSaved(user, await connection.user('PATCH', `/${user.id}`, { json: patchTo(mine, base), ifMatch: etag }));
  const remove = async () => {
    await connection.ask('DELETE', `/${user.id}`, { ifMatch: etag });
    onDeleted(user);
  };

  return (
    <Drawer title={user.name} isDirty={isChanged} onClose={onClose}>
      <p class="text-light">
        ID {user.id}, created <time dateTime={user.createdAt}>{timeOf(user.createdAt)}</time>
      </p>
      {at !== '' && <Past user={user} at={at} onClose={onClose} />}
      {before && (
        <section class="card" role="alert">
          <b>Somebody else has changed this user meanwhile</b>
          <FieldChanges before={before} after={user} />
          {isChanged && 'What you have entered is below. Saving keeps it.'}
        </section>
      )}
      <FailureLine failure={failure} />
      <UserForm
        start={start}
        errors={failure?.members}
        isSaving={isSaving}
        onEdit={setMine}
        onSubmit={mayWrite ? () => isChanged && write(save) : undefined}
      >
        {mayWrite && (
          <>
            <button type="submit" disabled={!isChanged} aria-disabled={isSaving}>
              Save
            </button>
            <button type="button" class="outline end" data-variant="danger" onClick={() => write(remove)}>
              Delete
            </button>
          </>
        )}
      </UserForm>
      {session.may('users:audit') && <History id={String(user.id)} />}
    </Drawer>
  );
}
