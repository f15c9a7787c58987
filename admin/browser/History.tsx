import { ChangeList } from './ChangeList.tsx';
import type { UserChange } from './connection.ts';
import { useShared } from './shared.ts';
import { Trouble } from './Trouble.tsx';
import { timeOf } from './time.ts';
import { useReading } from './useReading.ts';
import { useUndo } from './useUndo.ts';

/** What happened to a user, the newest first, and who did it. @param onBack is told if the user was brought back. Absent if that cannot be */
export function History({ id, onBack }: { id: string; onBack?: () => void }) {
  const { connection } = useShared();
  const { bringBack } = useUndo();
  const { value: changes, failure } = useReading(id, (signal) =>
    connection.read<UserChange[]>(`/${id}/changes`, {}, signal),
  );
  const restore = onBack && ((user: Parameters<typeof bringBack>[0]) => bringBack(user).then(onBack));
  return (
    <section aria-label="History">
      <h3>History</h3>
      {failure && <Trouble failure={failure} />}
      {changes?.length === 0 && <p>Nothing is kept.</p>}
      {changes && (
        <ChangeList
          changes={changes}
          timeOf={timeOf}
          isOfOne
          bringBack={(change) => (change === changes[0] && change.type === 'deleted' ? restore : undefined)}
        />
      )}
    </section>
  );
}
