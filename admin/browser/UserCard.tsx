import { Drawer } from './Drawer.tsx';
import { History } from './History.tsx';
import { type EditedUser, PresentUser } from './PresentUser.tsx';
import { useShared } from './shared.ts';
import { Trouble } from './Trouble.tsx';
import { timeOf } from './time.ts';
import { useReading } from './useReading.ts';

/** The card of a user. Whoever is deleted can come back, as long as the history has them. @param at as of which moment; empty: now */
export function UserCard({ id, at }: { id: string; at: string }) {
  const { connection, session, go } = useShared();
  const onClose = () => go({ user: '', at: '' });
  const { value, failure, set } = useReading<EditedUser>(`${id} ${at}`, (signal) =>
    connection.user('GET', `/${id}`, { query: { at }, signal }),
  );
  const isAbsent = failure?.status === 404;
  if (value && !isAbsent) return <PresentUser key={value.etag} tagged={value} at={at} set={set} onClose={onClose} />;
  return (
    <Drawer title={isAbsent ? 'No such user' : 'User'} onClose={onClose}>
      {!failure && <p aria-busy="true">Loading …</p>}
      {failure && !isAbsent && <Trouble failure={failure} />}
      {isAbsent && (
        <p>
          Nobody {at === '' ? 'has' : `had on ${timeOf(at)}`} the ID {id}.
        </p>
      )}
      {isAbsent && session.may('users:audit') && <History id={id} onBack={onClose} />}
    </Drawer>
  );
}
