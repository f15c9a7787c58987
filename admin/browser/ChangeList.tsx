import type { Change, Page, User, UserChange } from './connection.ts';
import { textOf, type Value, valuesOf } from './edit.ts';
import { labelOf } from './filters.ts';
import { Status } from './Status.tsx';
import { useShared } from './shared.ts';
import { useReading } from './useReading.ts';
import { addressWith } from './useView.ts';

/** What a change has changed: the fields that differ, or all of them. */
export type Differences = Pick<UserChange, 'before' | 'after'>;

const shown = (value: Value | undefined) => (value === undefined ? <i>no value</i> : <bdi>{textOf(value)}</bdi>);

export function FieldChanges({ before, after }: Differences) {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  const fields = [...new Set([...old.keys(), ...now.keys()])];
  return (
    <ul class="unstyled">
      {fields
        .filter((field) => textOf(old.get(field)) !== textOf(now.get(field)))
        .map((field) => (
          <li key={field}>
            {labelOf(field)}: <del>{shown(old.get(field))}</del> → <ins>{shown(now.get(field))}</ins>
          </li>
        ))}
    </ul>
  );
}

/** A moment when the user was as this change left it. Before a deletion it was there for the last time. */
const momentOf = ({ type, at }: Change): string =>
  type === 'deleted' ? new Date(Date.parse(at) - 1).toISOString() : at;

type KnownChange = Change & Partial<Differences>;

interface Props {
  changes: readonly KnownChange[];
  /** The moment of a change in words. */
  timeOf(moment: string): string;
  /** Whether they are of one user: then they lead to how it was, and do not name it. */
  isOfOne?: boolean;
  /** Reads what an update has changed, unless it says so. */
  read?: (change: Change, signal: AbortSignal) => Promise<Differences | undefined>;
  /** Undoes a deletion. Answers nothing if that cannot be. */
  bringBack?: (change: Change) => ((user: User) => void) | undefined;
}

/** The values that a filter may have. */
const MOST_NAMES = 100;

/** The names of those who made some changes, by their subjects: those of the users whose external ids they are. */
function useNames(changes: readonly Change[]): ReadonlyMap<string, string> {
  const { connection } = useShared();
  const externalId = [
    ...new Set(changes.flatMap(({ by, byName }) => (byName === undefined && by !== undefined ? [by] : []))),
  ].slice(0, MOST_NAMES);
  const { value = new Map() } = useReading(JSON.stringify(externalId), async (signal) => {
    if (externalId.length === 0) return new Map<string, string>();
    const { content } = await connection.read<Page>('', { externalId, size: MOST_NAMES }, signal);
    return new Map(content.map((user) => [user.externalId ?? '', user.name]));
  });
  return value;
}

type LineProps = Omit<Props, 'changes'> & { change: KnownChange; names: ReadonlyMap<string, string> };

function ChangeLine({ change, names, timeOf, isOfOne, read, bringBack }: LineProps) {
  const { id, type, at, by, byName, user, before, after } = change;
  const { value: differences } = useReading(`${id} ${change.version}`, async (signal) =>
    type !== 'updated' ? undefined : before && after ? { before, after } : read?.(change, signal),
  );
  const restore = bringBack?.(change);
  return (
    <li class="change">
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
      </div>
      {isOfOne && user && <a href={addressWith({ at: momentOf(change) })}>As it was</a>}
      {restore && user && (
        <button type="button" class="outline small" onClick={() => restore(user)}>
          Bring back
        </button>
      )}
    </li>
  );
}

/** When somebody did what to whom, and which fields that changed. */
export function ChangeList({ changes, ...props }: Props) {
  const names = useNames(changes);
  return (
    <ol class="unstyled">
      {changes.map((change) => (
        <ChangeLine key={`${change.id} ${change.version}`} change={change} names={names} {...props} />
      ))}
    </ol>
  );
}
