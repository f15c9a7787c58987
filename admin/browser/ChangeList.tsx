import { MAX_FILTER_VALUES } from '../../schemas/limits.ts';
import { type Change, type Page, read, type UserChange } from './connection.ts';
import { differing, textOf, type Value, valuesOf } from './edit.ts';
import { labelOf } from './filters.ts';
import { Button, Status } from './parts.tsx';
import { may } from './session.ts';
import { addressWith, closeCard } from './state.ts';
import { timeOf } from './time.ts';
import { useReading } from './useReading.tsx';
import { useSaving } from './useSaving.tsx';
import { bringBack, undoMany } from './write.ts';

/** The differences that a change has made: the fields that differ, or all of them. */
type Differences = Pick<UserChange, 'before' | 'after'>;

const shown = (value: Value | undefined) => (value === undefined ? <i>no value</i> : <bdi>{textOf(value)}</bdi>);

export function FieldChanges({ before, after }: Differences) {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  return (
    <ul class="unstyled">
      {differing(old, now).map((property) => (
        <li key={property}>
          {labelOf(property)}: <del>{shown(old.get(property))}</del> → <ins>{shown(now.get(property))}</ins>
        </li>
      ))}
    </ul>
  );
}

type KnownChange = Change & Partial<Differences>;

interface Props {
  /** The newest first. */
  changes: readonly KnownChange[];
  /** Whether they are of one user: then they lead to how it was, and do not name it. */
  isOfOne?: boolean;
  /** Whether it is read what updates have changed that do not say so. */
  hasDetails?: boolean;
}

/** The names of those who made some changes, by their subjects: those of the users whose external ids they are. */
function useNames(changes: readonly Change[]): ReadonlyMap<string, string> {
  const unnamed = changes.filter(({ byName }) => byName === undefined).flatMap(({ by }) => by ?? []);
  const externalId = [...new Set(unnamed)].slice(0, MAX_FILTER_VALUES);
  const { value = new Map() } = useReading(JSON.stringify(externalId), async (signal) => {
    if (externalId.length === 0) return new Map<string, string>();
    const { content } = await read<Page>('', { externalId, size: MAX_FILTER_VALUES }, signal);
    return new Map(content.map((user) => [user.externalId ?? '', user.name]));
  });
  return value;
}

/** The differences of an update. Undefined if it was erased. */
function useDifferences({ id, version, type, before, after }: KnownChange, isAsked: boolean): Differences | undefined {
  const { value } = useReading(`${id} ${version}`, async (signal) => {
    if (before && after) return { before, after };
    if (!isAsked || type !== 'updated') return undefined;
    const [only] = await read<UserChange[]>(`/${id}/changes`, { before: version + 1, size: 1 }, signal);
    return only?.version === version ? only : undefined;
  });
  return type === 'updated' ? value : undefined;
}

interface LineProps extends Props {
  change: KnownChange;
  names: ReadonlyMap<string, string>;
}

function ChangeLine({ change, changes, names, isOfOne, hasDetails = false }: LineProps) {
  const { attempt, isSaving, progress } = useSaving();
  const { id, type, at, by, byName, user, edit } = change;
  const differences = useDifferences(change, hasDetails);
  const isLast = (of: 'id' | 'edit') => changes.find((each) => each[of] === change[of]) === change;
  const button = (text: string, ...how: Parameters<typeof attempt>) => (
    <Button text={text} class="outline small" disabled={isSaving} onClick={() => attempt(...how)} />
  );
  return (
    <li class="change hstack">
      <time dateTime={at} class="text-light">
        {timeOf(at)}
      </time>
      <Status text={type} />
      <div>
        {!isOfOne && (
          <a href={addressWith({ user: String(id) })} dir="auto">
            {user?.name ?? `User ${id} (erased)`}
          </a>
        )}
        {by !== undefined && (
          <span class="text-light">
            {' by '}
            <a href={addressWith({ show: 'changes', person: by, about: '', user: '', at: '' })}>
              {byName ?? names.get(by) ?? by}
            </a>
          </span>
        )}
        {differences && <FieldChanges {...differences} />}
        {edit !== undefined &&
          isLast('edit') &&
          may('users:write') &&
          button('Undo this change of many', (onShare) => undoMany(edit, onShare))}
        {progress}
      </div>
      {isOfOne && user && type !== 'deleted' && <a href={addressWith({ at })}>As it was</a>}
      {user &&
        type === 'deleted' &&
        isLast('id') &&
        may('users:write') &&
        button('Bring back', () => bringBack(user), closeCard)}
    </li>
  );
}

/** When somebody did what to whom, and which fields that changed. */
export function ChangeList(props: Props) {
  const names = useNames(props.changes);
  return (
    <ol class="unstyled">
      {props.changes.map((change) => (
        <ChangeLine key={`${change.id} ${change.version}`} change={change} names={names} {...props} />
      ))}
    </ol>
  );
}
