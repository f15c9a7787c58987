import { useMemo } from 'preact/hooks';
import { ChangeLine } from './ChangeLine.tsx';
import { CHANGE_TYPES, type Change, type ChangesQuery, type Connection, type User } from './connection.ts';
import { createFeed, type Kept } from './feed.ts';
import { labelOf } from './filters.ts';
import type { Session } from './session.ts';
import { Trouble } from './Trouble.tsx';
import { dayOf, hourOf, numberOf, timeOf } from './time.ts';
import { useReading } from './useReading.ts';
import type { Go } from './useView.ts';
import type { View } from './view.ts';

/** What a view asks of the API. */
const askedBy = ({ type, person, about }: Pick<View, 'type' | 'person' | 'about'>): ChangesQuery => ({
  ...(type && { type: [type] }),
  ...(person !== '' && { by: [person] }),
  ...(about !== '' && { id: [Number(about)] }),
});

/** How far the changes reach that were read. */
function reachOf({ changes, hasMore }: Kept, kind: string): string {
  const oldest = changes.at(-1);
  if (!oldest) return hasMore ? `Nothing${kind} is among the newest changes.` : `Nothing${kind} has happened yet.`;
  return `${hasMore ? 'The last' : 'All'} ${numberOf(changes.length)} changes${kind} that are kept, since ${timeOf(oldest.at)}.`;
}

interface Props {
  connection: Connection;
  session: Session;
  view: View;
  go: Go;
  bringBack(user: User): void;
}

/** What happened to all users, the newest first, and who did it. */
export function Changes({ connection, session, view: { type, person, about }, go, bringBack }: Props) {
  const feed = useMemo(
    () => createFeed(connection, askedBy({ type, person, about })),
    [connection, type, person, about],
  );
  const { value: kept, failure, isLoading, reload } = useReading(feed.readBack);
  const all = kept?.changes ?? [];
  const latest = useMemo(() => new Map(all.toReversed().map(({ id, version }) => [id, version])), [all]);
  const days = Map.groupBy(all, ({ at }) => dayOf(at));
  const canComeBack = (change: Change) =>
    session.may('users:write') && change.type === 'deleted' && latest.get(change.id) === change.version;

  return (
    <section class="changes" aria-label="What happened">
      <div class="fields">
        <label>
          Who did it
          <input
            type="search"
            value={person}
            onChange={({ currentTarget: { value } }) => go({ person: value.trim() })}
          />
        </label>
        <label>
          ID of whom
          <input
            type="search"
            inputMode="numeric"
            pattern="\d{1,16}"
            value={about}
            onChange={({ currentTarget: { value } }) => go({ about: value.trim() })}
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
        <p class="text-light" role="status">
          {reachOf(kept, type || person || about ? ' of that kind' : '')}
        </p>
      )}
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
      {kept?.hasMore && (
        <button type="button" class="outline" disabled={isLoading} onClick={reload}>
          Show more
        </button>
      )}
    </section>
  );
}
