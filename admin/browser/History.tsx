import { useCallback } from 'preact/hooks';
import { ChangeLine } from './ChangeLine.tsx';
import type { Connection, User } from './connection.ts';
import type { Session } from './session.ts';
import { Trouble } from './Trouble.tsx';
import { timeOf } from './time.ts';
import { useReading } from './useReading.ts';

interface Props {
  connection: Connection;
  session: Session;
  id: string;
  /** Undoes a deletion. Absent if that cannot be. */
  bringBack?: ((user: User) => void) | undefined;
}

/** What happened to a user, the newest first, and who did it: as much as the API tells at once. */
export function History({ connection, session, id, bringBack }: Props) {
  const read = useCallback((signal: AbortSignal) => connection.history(id, {}, signal), [connection, id]);
  const { value: changes, failure } = useReading(read);
  return (
    <section class="changes" aria-label="History">
      <h3>History</h3>
      {failure && <Trouble failure={failure} session={session} />}
      {changes?.length === 0 && <p>Nothing is kept.</p>}
      <ol class="unstyled">
        {changes?.map((change, index) => (
          <ChangeLine
            key={change.version}
            change={change}
            time={timeOf(change.at)}
            isNamed={false}
            bringBack={index === 0 && change.type === 'deleted' ? bringBack : undefined}
          />
        ))}
      </ol>
    </section>
  );
}
