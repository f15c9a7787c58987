import { useMemo, useState } from 'preact/hooks';
import { ChangeLine } from './ChangeLine.tsx';
import { CHANGE_TYPES, type Change, type User } from './connection.ts';
import type { Feed, Kept } from './feed.ts';
import { labelOf } from './filters.ts';
import type { Session } from './session.ts';
import { Trouble } from './Trouble.tsx';
import { dayOf, hourOf, numberOf, timeOf } from './time.ts';
import { useReading } from './useReading.ts';
import type { Go } from './useView.ts';
import type { View } from './view.ts';

/** Changes that are shown at first, and more at each click. */
const STEP = 30;

/** Whether a change was made by a person, or concerns one. */
const isAbout = ({ id, by, user }: Change, person: string): boolean =>
  [String(id), by, user?.name, user?.email].some((text) => text?.toLowerCase().includes(person));

/** How far the changes reach that were read. */
function reachOf({ changes, isWhole, hasMore }: Kept): string {
  const [newest, oldest] = [changes[0], changes.at(-1)];
  if (!newest || !oldest) return hasMore ? 'Reading …' : 'Nothing has happened yet.';
  const count = numberOf(changes.length);
  if (hasMore) return `Reading: ${count} changes so far, up to ${timeOf(newest.at)} …`;
  return `${isWhole ? `All ${count} changes that are kept` : `The last ${count} changes`}, since ${timeOf(oldest.at)}.`;
}

interface Props {
  feed: Feed;
  session: Session;
  view: View;
  go: Go;
  bringBack(user: User): void;
}

/** What happened to all users, the newest first, and who did it. */
export function Changes({ feed, session, view: { type, person }, go, bringBack }: Props) {
  const { value: kept, failure, reload } = useReading(feed.readOn);
  const [most, setMost] = useState(STEP);
  const all = kept?.changes ?? [];
  const latest = useMemo(() => new Map(all.toReversed().map(({ id, version }) => [id, version])), [all]);
  const sought = person.trim().toLowerCase();
  const found = all.filter((change) => (type ?? change.type) === change.type && isAbout(change, sought));
  const days = Map.groupBy(found.slice(0, most), ({ at }) => dayOf(at));
  const canComeBack = (change: Change) =>
    session.may('users:write') && change.type === 'deleted' && latest.get(change.id) === change.version;

  return (
    <section class="changes" aria-label="What happened">
      <div class="fields">
        <label>
          Who did it, or to whom
          <input
            type="search"
            placeholder="Name, address or ID"
            value={person}
            onInput={({ currentTarget: { value } }) => go({ person: value }, 'replace')}
          />
        </label>
        <label>
          What
          <select
            value={type ?? ''}
            onChange={({ currentTarget: { value } }) => go({ type: CHANGE_TYPES.find((each) => each === value) })}
          >
            <option value="">Everything</option>
            {CHANGE_TYPES.map((each) => (
              <option key={each} value={each}>
                {labelOf(each)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {failure && <Trouble failure={failure} session={session} />}
      {kept && (
        <p class="text-light hstack">
          <span role="status">{reachOf(kept)}</span>
          {!kept.isWhole && !kept.hasMore && (
            <button
              type="button"
              class="outline small"
              onClick={() => {
                feed.restart();
                reload();
              }}
            >
              Read all that is kept
            </button>
          )}
        </p>
      )}
      {all.length > 0 && found.length === 0 && <p class="notice">Nothing of that kind is among them.</p>}
      {[...days].map(([day, changes]) => (
        <section key={day}>
          <h2>{day}</h2>
          <ol class="unstyled">
            {changes.map((change) => (
              <ChangeLine
                key={`${change.id} ${change.version}`}
                change={change}
                time={hourOf(change.at)}
                read={feed.differences}
                bringBack={canComeBack(change) ? bringBack : undefined}
              />
            ))}
          </ol>
        </section>
      ))}
      {found.length > most && (
        <button type="button" class="outline" onClick={() => setMost(most + STEP)}>
          Show more of {numberOf(found.length)}
        </button>
      )}
    </section>
  );
}
