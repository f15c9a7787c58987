import { useCallback, useState } from 'preact/hooks';
import { type Connection, HISTORY_SIZE, type UserChange } from './connection.ts';
import { textOf } from './edit.ts';
import { timeOf } from './time.ts';
import { useReading } from './useReading.ts';
import { labelOf } from './view.ts';

type Fields = Record<string, string | number | undefined>;

const shown = (value: string | number | undefined) => (value === undefined ? <i>no value</i> : textOf(value));

function Change({ change: { type, at, by, before, after } }: { change: UserChange }) {
  const [old, now] = [before as Fields, after as Fields];
  const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return (
    <li>
      <b>{labelOf(type)}</b> <time dateTime={at}>{timeOf(at)}</time>
      {by !== undefined && <> by {by}</>}
      {type === 'updated' && (
        <ul>
          {fields.map((field) => (
            <li key={field}>
              {labelOf(field)}: <del>{shown(old[field])}</del> → <ins>{shown(now[field])}</ins>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

interface Props {
  connection: Connection;
  id: string;
  onRead?(newest: UserChange | undefined): void;
}

/** What happened to a user, the newest first, and who did it. */
export function History({ connection, id, onRead }: Props) {
  const [changes, setChanges] = useState<UserChange[]>([]);
  const [before, setBefore] = useState<number>();
  const read = useCallback(
    async (signal: AbortSignal) => {
      const page = await connection.history(id, before, signal);
      setChanges((known) => (before === undefined ? page : [...known, ...page]));
      if (before === undefined) onRead?.(page[0]);
      return page;
    },
    [connection, id, before, onRead],
  );
  const { value: page, failure, reload } = useReading(read);
  return (
    <section class="history" aria-label="History">
      <h3>History</h3>
      {failure?.status === 404 && <p>This service keeps no history.</p>}
      {failure && failure.status !== 404 && (
        <p>
          {failure.message}{' '}
          <button type="button" class="outline" onClick={reload}>
            Try again
          </button>
        </p>
      )}
      {page && changes.length === 0 && <p>Nothing is kept.</p>}
      <ol class="unstyled">
        {changes.map((change) => (
          <Change key={change.version} change={change} />
        ))}
      </ol>
      {page?.length === HISTORY_SIZE && (
        <button type="button" class="outline" onClick={() => setBefore(changes.at(-1)?.version)}>
          Earlier changes
        </button>
      )}
    </section>
  );
}
