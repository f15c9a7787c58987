import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Change } from '../data/connection.ts';
import { go, share, shared, view } from '../data/state.ts';
import { counted } from '../data/time.ts';
import { Costs } from '../parts/Costs.tsx';
import { Icon } from '../parts/icons.tsx';
import { Button, Popover, Select } from '../parts/parts.tsx';
import { Refresh } from '../parts/Refresh.tsx';
import { useReading } from '../parts/useReading.tsx';
import { useMedia, useTitle } from '../parts/useWindow.ts';
import { settings } from '../session/session.ts';
import { type Author, ChangeList, Doings, useNames } from './ChangeList.tsx';
import { createFeed, type Feed } from './feed.ts';

const KINDS = { '': 'Everything', created: 'Created', updated: 'Changed', deleted: 'Deleted' };

type Authors = ReadonlyMap<string, Author>;

/** Those who have made the changes that were seen so far, whatever was asked for. */
function useSeen(changes: readonly Change[]): Authors {
  const authors = useMemo(() => new Map<string, Author>(), []);
  for (const change of changes) if (change.by !== undefined) authors.set(change.by, change);
  return authors;
}

function People({ authors }: { authors: Authors }) {
  const { person } = view;
  const all = new Map<string, Author>(person === '' ? authors : [[person, { by: person }], ...authors]);
  const nameOf = useNames([...all.values()]);
  const people = [...all].map(([by, author]) => [by, nameOf(author) ?? by] as const);
  const sorted = people.toSorted(([, one], [, other]) => one.localeCompare(other));
  return (
    <Select
      label="Who did it"
      value={person}
      options={[['', 'Anybody'], ...sorted]}
      onValue={(by) => go({ person: by })}
    />
  );
}

/** The text stays while it is typed, whatever is read meanwhile. */
function Whom() {
  const [text, setText] = useState(view.about);
  useEffect(() => setText(view.about), [view.about]);
  return (
    <label class="box whom">
      <Icon of="search" />
      <input
        type="search"
        aria-label="Whom"
        placeholder="Whom: name or ID"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onChange={({ currentTarget }) => go({ about: currentTarget.value.trim() })}
      />
    </label>
  );
}

/** A day. Until it is chosen its box says which, in the place of a form of date. */
const Day = ({ name, label }: { name: 'from' | 'to'; label: string }) => (
  <label class="box day-box" data-empty={view[name] === ''}>
    <span>{label}</span>
    <input type="date" value={view[name]} onChange={({ currentTarget }) => go({ [name]: currentTarget.value })} />
  </label>
);

/** The boxes that narrow the changes: by whom, of what kind, of whom, and of which days. */
const Narrow = (who: { authors: Authors }) => (
  <div class="narrowed hstack">
    <People {...who} />
    <Select label="What" value={view.type} options={Object.entries(KINDS)} onValue={(type) => go({ type })} />
    <Whom />
    <Day name="from" label="From" />
    <span aria-hidden="true">–</span>
    <Day name="to" label="To" />
  </div>
);

/** The changes of all users, the newest first, and who made them. */
export function Changes() {
  const { type, person, about, from, to } = view;
  const narrowed = JSON.stringify([type, person, about, from, to]);
  const key = `${narrowed} ${shared.edits}`;
  const feed = useMemo(() => createFeed({ type, by: person, about, from, to }), [key]);
  const { value, isLoading, reload, trouble } = useReading<Feed & { narrowed: string }>(key, async (signal, shown) => {
    await feed.readNewer(signal);
    let read = await feed.readBack(signal);
    // Changes that were read back before stay, if it is the same list.
    const oldest = shown?.narrowed === narrowed ? shown.changes.at(-1) : undefined;
    const isLater = ({ at }: Change) => oldest !== undefined && at > oldest.at;
    while (read.before !== undefined && read.changes.slice(-1).some(isLater)) read = await feed.readBack(signal);
    return { ...read, narrowed };
  });
  const isPhone = useMedia('(width <= 48rem)');
  useTitle('screen', 'What happened');
  const { changes = [], before } = value ?? {};
  const authors = useSeen(changes);
  const isNarrow = [type, person, about, from, to].some((each) => each !== '');
  return (
    <section class="list happened" aria-label="What happened">
      <div class="bar hstack">
        <h2>What happened</h2>
        {value && <Refresh key={key} look={feed.readNewer} reload={() => share({ edits: shared.edits + 1 })} />}
        <span class="end">
          {isPhone ? (
            <Popover text={isNarrow ? 'Filter ·' : 'Filter'} name={isNarrow ? 'Filter, in use' : 'Filter'}>
              {() => <Narrow authors={authors} />}
            </Popover>
          ) : (
            <Narrow authors={authors} />
          )}
        </span>
      </div>
      {trouble}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse can scroll it, too */}
      <section class="lines" aria-label="Changes" tabIndex={0} aria-busy={isLoading}>
        {value && !isNarrow && <Doings changes={changes} />}
        <ChangeList changes={changes} isWhole={before === undefined} onMore={reload} />
        {value && changes.length === 0 && (
          <p class="notice p-4 align-center">
            {isNarrow ? 'Nothing like that' : 'Nothing'} has happened in what is kept.
          </p>
        )}
      </section>
      {value && (
        <footer class="pager bar hstack">
          <small role="status">
            <span class="unseen">{counted(changes.length, 'change')}. </span>
            <span class="wide">Appears some 15 seconds after it was done · kept</span>
            <span class="narrow">Kept</span> for {counted(settings.historyDays, 'day')}
          </small>
          <span class="wide">
            <Costs />
          </span>
          {before !== undefined && (
            <Button text="Show older" class="outline end" disabled={isLoading} onClick={reload} />
          )}
        </footer>
      )}
    </section>
  );
}
