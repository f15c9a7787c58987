import { useCallback, useState } from 'preact/hooks';
import type { User, UserChange } from './connection.ts';
import { Dialog } from './Dialog.tsx';
import { fieldsOfUser } from './edit.ts';
import { History } from './History.tsx';
import { type CardProps, type NoticedUser, PresentUser } from './PresentUser.tsx';
import { FailureLine, Trouble } from './Trouble.tsx';
import { useReading } from './useReading.ts';
import { useSaving } from './useSaving.ts';

/** Nobody has this id. Whoever had it can come back, as long as the history has them. */
function AbsentUser({ id, connection, session, onClose, onSaved }: CardProps) {
  const [last, setLast] = useState<UserChange>();
  const { attempt, isSaving, failure } = useSaving(onClose);
  const deleted = last?.type === 'deleted' ? last.user : undefined;

  const bringBack = (user: User) =>
    attempt(async () => {
      const saved = await connection.bringBack(user.id, fieldsOfUser(user));
      onSaved(saved.user);
      return true;
    });

  return (
    <Dialog label="No such user" isDirty={false} onClose={onClose}>
      <h2>{deleted ? `${deleted.name} was deleted` : 'No such user'}</h2>
      <p>There is no user with the ID {id}.</p>
      <FailureLine failure={failure} session={session} hasForm={false} />
      {deleted && session.may('users:write') && (
        <button type="button" aria-disabled={isSaving} onClick={() => bringBack(deleted)}>
          Bring back
        </button>
      )}
      {session.may('users:audit') && <History connection={connection} id={id} onRead={setLast} />}
    </Dialog>
  );
}

/** The card of a user. */
export function UserCard(props: CardProps) {
  const { id, connection, session, onClose } = props;
  const read = useCallback(
    (signal: AbortSignal): Promise<NoticedUser> => connection.read(id, signal),
    [connection, id],
  );
  const { value: tagged, failure, set, reload } = useReading(read);
  if (tagged) return <PresentUser key={tagged.etag} {...props} tagged={tagged} set={set} reload={reload} />;
  if (failure?.status === 404) return <AbsentUser {...props} />;
  return (
    <Dialog label="User" isDirty={false} onClose={onClose}>
      {failure ? <Trouble failure={failure} session={session} retry={reload} /> : <p aria-busy="true">Loading …</p>}
    </Dialog>
  );
}
