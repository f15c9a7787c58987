import { askUser, type User } from './connection.ts';
import { fieldsOf } from './edit.ts';
import { Icon } from './icons.tsx';
import { Button, Popover } from './parts.tsx';
import { may } from './session.ts';
import { addressWith, say } from './state.ts';
import { useSaving } from './useSaving.tsx';
import { remove, save } from './write.ts';

/** The state that a user gets by a click, if somebody has it. */
const SUSPENDED = 'suspended';

export const copyId = (id: number | string) =>
  navigator.clipboard?.writeText(String(id)).then(() => say(`ID ${id} is copied`));

/** The usual actions for one user, as long as the mouse or the focus is in the row. */
export function RowActions({ user, states }: { user: User; states: readonly string[] }) {
  const { attempt, isSaving } = useSaving();
  const { id, status } = user;
  const suspend = async () => {
    const present = await askUser('GET', `/${id}`);
    await save(present, new Map([...fieldsOf(present.user), ['status', SUSPENDED]]));
  };
  return (
    <span class="row-actions hstack gap-1">
      {may('users:write') && states.includes(SUSPENDED) && status !== SUSPENDED && (
        <Button text="Suspend" class="outline small" disabled={isSaving} onClick={() => attempt(suspend)} />
      )}
      <Button
        text={
          <>
            <Icon of="copy" /> Copy ID
          </>
        }
        class="outline small"
        onClick={() => copyId(id)}
      />
      <Popover text={<Icon of="more" />} class="outline small" name={`More about ${user.name}`}>
        {(close) => (
          <div class="vstack">
            <a class="button ghost" href={addressWith({ user: String(id), at: '' })} onClick={close}>
              Open
            </a>
            {may('users:write') && (
              <Button
                text="Delete"
                class="ghost"
                data-variant="danger"
                onClick={() => {
                  close();
                  attempt(async () => remove(await askUser('GET', `/${id}`)));
                }}
              />
            )}
          </div>
        )}
      </Popover>
    </span>
  );
}
