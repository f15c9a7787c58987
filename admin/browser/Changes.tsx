import { useEffect, useMemo, useState } from 'preact/hooks';
import { ChangeList, useNames, whoOf } from './ChangeList.tsx';
import type { Change } from './connection.ts';
import { Doings } from './Doings.tsx';
import { createFeed } from './feed.ts';
import { Icon } from './icons.tsx';
import { Button, Popover } from './parts.tsx';
import { settings } from './session.ts';
import { go, share, shared, view } from './state.ts';
import { counted } from './time.ts';
import { useReading } from './useReading.tsx';
import { useMedia, useTitle } from './useWindow.ts';

/** Lines that are shown at first, and more at each click. */
const LINES = 15;

/** Changes that are looked at for them. */
const MOST = 2_500;

const KINDS = { '': 'Everything', created: 'Created', updated: 'Changed', deleted: 'Deleted' };

const DAYS = [
  ['from', 'From'],
  ['to', 'To'],
] as const;

/** Those who have made the changes that were read so far, by name. */
function People({ changes }: { changes: readonly Change[] }) {
  const names = useNames(changes);
  const people = new Map(
    changes.flatMap((change) => (change.by === undefined ? [] : [[change.by, whoOf(change, names)]])),
  );
  if (view.person !== '' && !people.has(view.person)) people.set(view.person, names.get(view.person) ?? view.person);
  const sorted = [...people].toSorted(([, one = ''], [, other = '']) => one.localeCompare(other));
  return (
    <select
      aria-label="Who did it"
      value={view.person}
      onChange={({ currentTarget }) => go({ person: currentTarget.value })}
    >
      <option value="">Anybody</option>
      {sorted.map(([by, name]) => (
        <option key={by} value={by}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** The text stays while it is typed, whatever is read meanwhile. */
function Whom() {
  const [text, setText] = useState(view.about);
  useEffect(() => setText(view.about), [view.about]);
  return (
    <input
      type="search"
      aria-label="Whom"
      placeholder="Whom: name or ID"
      value={text}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
      onChange={({ currentTarget }) => go({ about: currentTarget.value.trim() })}
    />
  );
}

/** The boxes that narrow the changes: by whom, of what kind, of whom, and of which days. */
const Narrow = ({ changes }: { changes: readonly Change[] }) => (
  <div class="narrowed hstack gap-2">
    <People changes={changes} />
    <select aria-label="What" value={view.type} onChange={({ currentTarget }) => go({ type: currentTarget.value })}>
      {Object.entries(KINDS).map(([kind, name]) => (
        <option key={kind} value={kind}>
          {name}
        </option>
      ))}
    </select>
    <Whom />
    {DAYS.map(([name, label]) => (
      <label key={name}>
        {label}
        <input type="date" value={view[name]} onChange={({ currentTarget }) => go({ [name]: currentTarget.value })} />
      </label>
    ))}
  </div>
);

/** The changes of all users, the newest first, and who made them. */
export function Changes() {
  const { type, person, about, from, to } = view;
  const key = JSON.stringify([type, person, about, from, to, shared.edits]);
  const feed = useMemo(() => createFeed({ lines: LINES, most: MOST, type, by: person, about, from, to }), [key]);
  const { value: kept, isLoading, reload, trouble } = useReading(key, feed);
  const isPhone = useMedia('(width <= 48rem)');
  useTitle('screen', 'What happened');
  const changes = kept?.changes ?? [];
  const isNarrow = [type, person, about, from, to].some((each) => each !== '');
  return (
    <section class="list happened" aria-label="What happened">
      <div class="bar hstack">
        <h2>What happened</h2>
        <Button
          text={<Icon of="refresh" />}
          class="ghost"
          name="Read again"
          onClick={() => share({ edits: shared.edits + 1 })}
        />
        <span class="end">
          {isPhone ? (
            <Popover text={isNarrow ? 'Filter ·' : 'Filter'} name={isNarrow ? 'Filter, in use' : 'Filter'}>
              {() => <Narrow changes={changes} />}
            </Popover>
          ) : (
            <Narrow changes={changes} />
          )}
        </span>
      </div>
      {trouble}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse can scroll it, too */}
      <section class="lines" aria-label="Changes" tabIndex={0} aria-busy={isLoading}>
        {kept && !isNarrow && <Doings changes={changes} />}
        {kept && <ChangeList changes={changes} isWhole={kept.before === undefined} onMore={reload} />}
        {kept && changes.length === 0 && (
          <p class="notice p-4 align-center">
            {isNarrow ? 'Nothing like that' : 'Nothing'} has happened in what is kept.
          </p>
        )}
      </section>
      {kept && (
        <footer class="pager bar hstack">
          <span class="text-light" role="status">
            <span class="unseen">{counted(changes.length, 'change')}. </span>
            <span class="wide">Appears some 15 seconds after it was done · </span>kept for{' '}
            {counted(settings.historyDays, 'day')}
          </span>
          {kept.before !== undefined && (
            <Button text="Show older" class="outline end" disabled={isLoading} onClick={reload} />
          )}
        </footer>
      )}
    </section>
  );
}
