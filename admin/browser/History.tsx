import { FieldChanges, useEdit, useNames } from './ChangeList.tsx';
import type { UserChange } from './connection.ts';
import { Button, Dot, When } from './parts.tsx';
import { may } from './session.ts';
import { addressWith } from './state.ts';
import { counted, numberOf } from './time.ts';
import { useSaving } from './useSaving.tsx';
import { restoreLine } from './write.ts';

const DONE = { created: 'created', updated: 'changed', deleted: 'deleted' };

interface LineProps {
  change: UserChange;
  who: string | undefined;
  onUndo(edit: string): void;
}

function Line({ change, who, onUndo }: LineProps) {
  const { attempt, isSaving, progress } = useSaving();
  const { id, type, at, edit, before, after } = change;
  const others = (useEdit(edit)?.changed ?? 1) - 1;
  const isUpdate = type === 'updated';
  const done = isUpdate && others > 0 ? `changed ${counted(others + 1, 'user')}` : DONE[type];
  return (
    <li>
      <Dot text={type} />
      <div>
        <b dir="auto">{who}</b> {(!isUpdate || others > 0 || who === undefined) && done}
        {isUpdate && <FieldChanges before={before} after={after} />}
        {edit !== undefined && (
          <p class="text-light">
            {others > 0 ? `with ${counted(others, 'other')}` : 'A change of many'}
            {may('users:write') && (
              <>
                {' · '}
                <Button text="Undo for all" class="link" onClick={() => onUndo(edit)} />
              </>
            )}
          </p>
        )}
        {progress}
      </div>
      <div class="vstack">
        {type === 'deleted' ? (
          <When at={at} />
        ) : (
          <a href={addressWith({ at })} class="unstyled">
            <span class="unseen">As it was </span>
            <When at={at} />
          </a>
        )}
        {isUpdate && may('users:write') && (
          <Button
            text="Restore"
            class="outline small"
            disabled={isSaving}
            onClick={() => attempt(() => restoreLine(id, change))}
          />
        )}
      </div>
    </li>
  );
}

/** The changes of a user as a line of time, the newest first. */
export function History({ changes, onUndo }: { changes: readonly UserChange[]; onUndo(edit: string): void }) {
  const nameOf = useNames(changes);
  if (changes.length === 0) return <p class="text-light">Nothing is kept.</p>;
  return (
    <ol class="timeline unstyled" aria-label={`History, ${numberOf(changes.length)} changes`}>
      {changes.map((change) => (
        <Line key={change.version} change={change} who={nameOf(change)} onUndo={onUndo} />
      ))}
    </ol>
  );
}
