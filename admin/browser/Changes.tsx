import { useMemo } from 'preact/hooks';
import { ChangeList } from './ChangeList.tsx';
import { type Change, type ChangePage, type Query, RequestFailure, read } from './connection.ts';
import { Button } from './parts.tsx';
import { go, shared, view } from './state.ts';
import { counted } from './time.ts';
import { useReading } from './useReading.tsx';
import { useTitle } from './useWindow.ts';

/** Changes that are shown at first, and more at each click. */
const SIZE = 30;

/** How many changes a request passes by on the way back to a day. */
const STRIDE = 1_000;

/** The end of a day in the reader's zone, as the API takes it. @throws {RequestFailure} when it is none, in the words of the API */
function endOf(day: string): string {
  // February 31 is read as March 3.
  if (new Date(day).toJSON()?.startsWith(`${day}T`)) return new Date(`${day}T24:00`).toISOString();
  throw new RequestFailure(400, `day must be a date: ${day}`);
}

/**
 * Reads the changes of all users, from now back, a page more at each call.
 *
 * @param asked which of them
 * @param day the last day that is shown, in the reader's zone; empty: today
 * @returns the newest first, and the way further back; undefined: that was all
 */
function createFeed(asked: Query, day: string) {
  let changes: readonly Change[] = [];
  let before: string | undefined = 'now';

  return async function readBack(signal: AbortSignal) {
    const { length } = changes;
    const end = day === '' ? '' : endOf(day);
    while (before !== undefined) {
      const query: Query = { ...asked, before, size: end === '' || length > 0 ? SIZE : STRIDE };
      const page: ChangePage = await read<ChangePage>('/changes', query, signal);
      signal.throwIfAborted();
      changes = [...changes, ...page.changes.filter(({ at }) => end === '' || at < end)];
      before = page.next;
      // Without a day a page that has nothing is told, too: what is asked for may be rare.
      if (end === '' || changes.length > length) break;
    }
    return { changes, before };
  };
}

const ENTRIES = [
  ['day', 'Until the day', 'date'],
  ['person', 'Who did it', 'text'],
  ['about', 'ID of whom', 'text'],
] as const;

/** The boxes that narrow the changes: until which day, by whom, to whom, and of what kind. */
const Narrow = () => (
  <div class="boxes">
    {ENTRIES.map(([name, label, type]) => (
      <label key={name}>
        {label}
        <input
          {...({ type } as { type: 'text' })}
          value={view[name]}
          onChange={({ currentTarget }) => go({ [name]: currentTarget.value.trim() })}
        />
      </label>
    ))}
    <label>
      What
      <select value={view.type} onChange={({ currentTarget }) => go({ type: currentTarget.value })}>
        {['', 'created', 'updated', 'deleted'].map((each) => (
          <option key={each} value={each}>
            {each || 'everything'}
          </option>
        ))}
      </select>
    </label>
  </div>
);

/** The changes of all users, the newest first, and who made them. */
export function Changes() {
  const { type, person, about, day } = view;
  const key = JSON.stringify([type, person, about, day, shared.edits]);
  const feed = useMemo(() => createFeed({ type, by: person, id: about }, day), [key]);
  const { value: kept, isLoading, reload, trouble } = useReading(key, feed);
  useTitle('screen', 'What happened');

  return (
    <section class="page" aria-label="What happened">
      <Narrow />
      {trouble}
      {kept && (
        <p class="text-light mt-4" role="status">
          {counted(kept.changes.length, 'change')}
          {!kept.before && ': that is all that is kept'}
        </p>
      )}
      {kept && <ChangeList changes={kept.changes} hasDetails />}
      {kept?.before && <Button text="Show more" disabled={isLoading} onClick={reload} />}
    </section>
  );
}
