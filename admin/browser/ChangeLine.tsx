import { useCallback } from 'preact/hooks';
import type { Change, User, UserChange } from './connection.ts';
import { textOf } from './edit.ts';
import { labelOf } from './filters.ts';
import { useReading } from './useReading.ts';
import { addressWith } from './useView.ts';

/** What a change has changed: the fields that differ. */
export type Differences = Pick<UserChange, 'before' | 'after'>;

type Fields = Record<string, unknown>;

const VARIANTS = { created: 'success', updated: 'secondary', deleted: 'danger' } as const;

const shown = (value: unknown) => (value === undefined ? <i>no value</i> : textOf(value));

export function FieldChanges({ before, after }: Differences) {
  const [old, now]: [Fields, Fields] = [before, after];
  return (
    <ul class="unstyled">
      {[...new Set([...Object.keys(old), ...Object.keys(now)])].map((field) => (
        <li key={field}>
          {labelOf(field)}: <del>{shown(old[field])}</del> → <ins>{shown(now[field])}</ins>
        </li>
      ))}
    </ul>
  );
}

/** A moment when the user was as this change left it. Before a deletion it was there for the last time. */
const momentOf = ({ type, at }: Change): string =>
  type === 'deleted' ? new Date(Date.parse(at) - 1).toISOString() : at;

type KnownChange = Change & Partial<Differences>;

const known = async ({ before, after }: KnownChange) => before && after && { before, after };

interface Props {
  change: KnownChange;
  /** Its moment in words. */
  time: string;
  /** Whether it says whom it concerns, or leads to how they were. */
  isNamed?: boolean;
  /** Reads what it has changed, unless it says so. */
  read?: (change: Change, signal: AbortSignal) => Promise<Differences | undefined>;
  /** Undoes a deletion. Absent if that cannot be. */
  bringBack?: ((user: User) => void) | undefined;
}

/** When somebody did what, and which fields that changed. */
export function ChangeLine({ change, time, isNamed = true, read = known, bringBack }: Props) {
  const { id, type, at, by, byName, user } = change;
  const { value: differences } = useReading(
    useCallback(
      async (signal: AbortSignal) => (change.type === 'updated' ? read(change, signal) : undefined),
      [read, change],
    ),
  );
  return (
    <li class="change">
      <time dateTime={at} class="text-light">
        {time}
      </time>
      <span class="badge" data-variant={VARIANTS[type]}>
        {labelOf(type)}
      </span>
      <div>
        {isNamed && <a href={addressWith({ user: String(id) })}>{user?.name ?? `User ${id} (erased)`}</a>}
        {by !== undefined && (
          <span class="text-light">
            {' by '}
            <a href={addressWith({ show: 'changes', person: by, about: '', user: undefined, at: undefined })}>
              {byName ?? by}
            </a>
          </span>
        )}
        {differences && <FieldChanges {...differences} />}
      </div>
      {!isNamed && user && <a href={addressWith({ at: momentOf(change) })}>As it was</a>}
      {bringBack && user && (
        <button type="button" class="outline small" onClick={() => bringBack(user)}>
          Bring back
        </button>
      )}
    </li>
  );
}
