import { DONE, FieldChanges, KINDS, useEdit, useNames } from '../changes/ChangeList.tsx';
import { undoneBy, undoOf } from '../changes/groups.ts';
import { isOffline, type UserChange } from '../data/connection.ts';
import { addressWith } from '../data/state.ts';
import { undoMany } from '../data/task.ts';
import { counted, laterOf, numberOf } from '../data/time.ts';
import { restoreLine } from '../data/write.ts';
import { Button, When } from '../parts/parts.tsx';
import { useSaving } from '../parts/useSaving.tsx';
import { may, settings } from '../session/session.ts';

/** A change and, of a deletion, the creation that has brought the user back. */
interface Told {
  change: UserChange;
  back?: UserChange | undefined;
}

/** The newest first: what brought a user back is told with the deletion. */
function toldOf(changes: readonly UserChange[]): Told[] {
  const isBack = (at: number) => changes[at]?.type === 'created' && changes[at + 1]?.type === 'deleted';
  return changes.flatMap((change, at) =>
    isBack(at) ? [] : { change, back: isBack(at - 1) ? changes[at - 1] : undefined },
  );
}

interface LineProps extends Told {
  changes: readonly UserChange[];
  nameOf: ReturnType<typeof useNames>;
}

/** The others of an edit, and how it is taken back for all: once. */
function OfMany(props: { edit: string; others: number; isUndone: boolean; onUndo(): void }) {
  const { edit, others, isUndone, onUndo } = props;
  const isUndo = undoneBy(edit) !== undefined;
  return (
    <p>
      {isUndo && 'Undo, '}
      {others > 0 ? `with ${counted(others, 'other')}` : 'a change of many'}
      {isUndone && ' · undone'}
      {!isUndo && !isUndone && may('users:write') && (
        <>
          {' · '}
          <Button text="Undo for all" class="link" disabled={isOffline()} onClick={onUndo} />
        </>
      )}
    </p>
  );
}

/** "and brought back by Ann Lee 2 minutes later" */
const Back = ({ change, back, nameOf }: Required<Told> & Pick<LineProps, 'nameOf'>) => {
  const who = back && nameOf(back);
  return (
    <p>
      and brought back {who !== undefined && 'by '}
      <bdi>{who}</bdi>{' '}
      <a href={addressWith({ at: back?.at ?? '' })}>{laterOf(Date.parse(back?.at ?? '') - Date.parse(change.at))}</a>
    </p>
  );
};

function Line({ change, back, changes, nameOf }: LineProps) {
  const { attempt, isSaving, progress } = useSaving();
  const { id, type, at, edit, before, after } = change;
  const others = (useEdit(edit)?.changed ?? 1) - 1;
  const who = nameOf(change);
  const isUpdate = type === 'updated';
  const done = isUpdate && others > 0 ? `changed ${counted(others + 1, 'user')}` : DONE[type];
  return (
    <li>
      <i class={`dot of-${KINDS[type]}`} aria-hidden="true" />
      <div>
        <b dir="auto">{who}</b> {(!isUpdate || others > 0 || who === undefined) && done}
        {isUpdate && <FieldChanges before={before} after={after} />}
        {back && <Back change={change} back={back} nameOf={nameOf} />}
        {edit !== undefined && (
          <OfMany
            edit={edit}
            others={others}
            isUndone={changes.some((each) => each.edit === undoOf(edit))}
            onUndo={() => attempt((onShare) => undoMany(edit, onShare))}
          />
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
        {isUpdate && changes[0]?.type !== 'deleted' && may('users:write') && (
          <Button
            text="Restore"
            class="outline small"
            disabled={isSaving || isOffline()}
            onClick={() => attempt(() => restoreLine(id, change))}
          />
        )}
      </div>
    </li>
  );
}

/** The changes of a user as a line of time, the newest first. */
export function History({ changes }: { changes: readonly UserChange[] }) {
  const nameOf = useNames(changes);
  return (
    <>
      <ol class="timeline unstyled" aria-label={`History, ${numberOf(changes.length)} changes`}>
        {toldOf(changes).map((told) => (
          <Line key={told.change.version} {...told} changes={changes} nameOf={nameOf} />
        ))}
      </ol>
      <p>Kept for {counted(settings.historyDays, 'day')}.</p>
    </>
  );
}
