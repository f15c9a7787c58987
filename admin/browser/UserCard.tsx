import { useCallback } from 'preact/hooks';
import type { User } from './connection.ts';
import { Dialog } from './Dialog.tsx';
import { History } from './History.tsx';
import { type CardProps, type EditedUser, PresentUser } from './PresentUser.tsx';
import { Trouble } from './Trouble.tsx';
import { timeOf } from './time.ts';
import { useReading } from './useReading.ts';

type Props = CardProps & { bringBack(user: User): void };

/** Nobody has this id. Whoever had it can come back, as long as the history has them. */
function AbsentUser({ id, at, connection, session, onClose, bringBack }: Props) {
  function comeBack(user: User): void {
    bringBack(user);
    onClose();
  }
  return (
    <Dialog label="No such user" isDirty={false} onClose={onClose}>
      <h2>No such user</h2>
      <p>
        Nobody {at === undefined ? 'has' : `had on ${timeOf(at)}`} the ID {id}.
      </p>
      {session.may('users:audit') && (
        <History
          connection={connection}
          session={session}
          id={id}
          bringBack={session.may('users:write') ? comeBack : undefined}
        />
      )}
    </Dialog>
  );
}

/** The card of a user. */
export function UserCard(props: Props) {
  const { id, at, connection, session, onClose } = props;
  const read = useCallback(
    (signal: AbortSignal): Promise<EditedUser> =>
      at === undefined ? connection.read(id, signal) : connection.readPast(id, at, signal),
    [connection, id, at],
  );
  const { value: tagged, failure, set } = useReading(read);
  if (tagged) return <PresentUser key={tagged.etag} {...props} tagged={tagged} set={set} />;
  if (failure?.status === 404) return <AbsentUser {...props} />;
  return (
    <Dialog label="User" isDirty={false} onClose={onClose}>
      {failure ? <Trouble failure={failure} session={session} /> : <p aria-busy="true">Loading …</p>}
    </Dialog>
  );
}
