import { useMemo } from 'preact/hooks';
import { ChangeList } from './ChangeList.tsx';
import { CHANGE_TYPES, type Query } from './connection.ts';
import { createFeed } from './feed.ts';
import { useShared } from './shared.ts';
import { Trouble } from './Trouble.tsx';
import { dayOf, hourOf, numberOf, timeOf } from './time.ts';
import { useReading } from './useReading.ts';
import { useTitle } from './useTitle.ts';
import { useUndo } from './useUndo.ts';
import type { View } from './view.ts';

/** What a view asks of the API. */
const askedBy = ({ type, person, about }: View): Query => ({ type, by: person, id: about });

const ENTRIES = [
  ['day', 'Until the day', 'date'],
  ['person', 'Who did it', 'text'],
  ['about', 'ID of whom', 'text'],
] as const;

/** Which changes are shown: until which day, by whom, to whom, and of what kind. */
function Narrow() {
  const { view, go } = useShared();
  return (
    <div class="row">
      {ENTRIES.map(([name, label, type]) => (
        <label key={name} class="col-3">
          {label}
          <input
            {...({ type } as { type: 'text' })}
            value={view[name]}
            onChange={({ currentTarget }) => go({ [name]: currentTarget.value.trim() })}
          />
        </label>
      ))}
      <label class="col-3">
        What
        <select value={view.type} onChange={({ currentTarget }) => go({ type: currentTarget.value })}>
          {['', ...CHANGE_TYPES].map((each) => (
            <option key={each} value={each}>
              {each || 'everything'}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** What happened to all users, the newest first, and who did it. */
export function Changes() {
  const { connection, session, view } = useShared();
  const { bringBack } = useUndo();
  const key = JSON.stringify([askedBy(view), view.day]);
  const feed = useMemo(() => createFeed(connection, askedBy(view), view.day), [connection, key]);
  const { value: kept, failure, isLoading, reload } = useReading(key, feed.readBack);
  const all = kept?.changes ?? [];
  const oldest = all.at(-1);
  const latest = new Map(all.toReversed().map(({ id, version }) => [id, version]));
  const days = Map.groupBy(all, ({ at }) => dayOf(at));
  useTitle('screen', 'What happened');

  return (
    <section class="page container" aria-label="What happened">
      <Narrow />
      {failure && <Trouble failure={failure} />}
      {kept && (
        <p class="text-light" role="status">
          {oldest ? `${numberOf(all.length)} changes, since ${timeOf(oldest.at)}.` : 'Nothing of this kind.'}
          {!kept.hasMore && ' That is all that is kept.'}
        </p>
      )}
      {[...days].map(([name, changes]) => (
        <section key={name}>
          <h2>{name}</h2>
          <ChangeList
            changes={changes}
            timeOf={hourOf}
            read={feed.differences}
            bringBack={({ id, version, type: kind }) =>
              session.may('users:write') && kind === 'deleted' && latest.get(id) === version ? bringBack : undefined
            }
          />
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
