import { askUser, type TaggedUser, type User } from '../data/connection.ts';
import { fieldsOf } from '../data/edit.ts';
import { remove, save } from '../data/write.ts';
import { Button, Popover } from '../parts/parts.tsx';
import { useSaving } from '../parts/useSaving.tsx';
import { may } from '../session/session.ts';

/** The state that a user gets by a click, if somebody has it. */
export const SUSPENDED = 'suspended';

/** The line of a menu that deletes. */
export const DeleteLine = ({ close, onDelete }: { close(): void; onDelete(): void }) => (
  <Button
    text="Delete"
    class="ghost"
    data-variant="danger"
    onClick={() => {
      close();
      onDelete();
    }}
  />
);

/** The usual actions for one user, as long as the mouse or the focus is in the row. */
export function RowActions({ user, hasSuspended }: { user: User; hasSuspended: boolean }) {
  const { id, name, status } = user;
  const { attempt, isSaving } = useSaving(name, () => false);
  /** Does something with the user as they are now. */
  const run = (action: (present: TaggedUser) => Promise<unknown>) =>
    attempt(async () => action(await askUser('GET', `/${id}`)));
  const suspend = (present: TaggedUser) => save(present, new Map([...fieldsOf(present.user), ['status', SUSPENDED]]));
  return (
    <span class="row-actions">
      {may('users:write') && hasSuspended && status !== SUSPENDED && (
        <Button text="Suspend" disabled={isSaving} onClick={() => run(suspend)} />
      )}
      {may('users:write') && (
        <Popover sign="more" name={`More about ${name}`}>
          {(close) => <DeleteLine close={close} onDelete={() => run(remove)} />}
        </Popover>
      )}
    </span>
  );
}
