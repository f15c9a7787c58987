import { useEffect, useState } from 'preact/hooks';
import { type Connection, HISTORY_SIZE, type UserChange } from './connection.ts';
import { textOf } from './edit.ts';
import { RequestFailure } from './failure.ts';
import { timeOf } from './time.ts';
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

const OFF = 'This service keeps no history.';

interface Props {
  connection: Connection;
  id: string;
  onRead?(newest: UserChange | undefined): void;
}

/** What happened to a user, the newest first, and who did it. */
export function History({ connection, id, onRead }: Props) {
  const [changes, setChanges] = useState<UserChange[]>([]);
  const [before, setBefore] = useState<number>();
  const [trouble, setTrouble] = useState<string>();
  const [isAll, setAll] = useState(false);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    const ended = new AbortController();
    connection.history(id, before, ended.signal).then(
      (page) => {
        setChanges((known) => (before === undefined ? page : [...known, ...page]));
        setAll(page.length < HISTORY_SIZE);
        setTrouble(undefined);
        if (before === undefined) onRead?.(page[0]);
      },
      (error: unknown) => {
        if (ended.signal.aborted) return;
        const isOff = error instanceof RequestFailure && error.status === 404;
        setTrouble(isOff ? OFF : String((error as Error).message));
      },
    );
    return () => ended.abort();
  }, [connection, id, before, onRead, attempt]);

  return (
    <section class="history" aria-label="History">
      <h3>History</h3>
      {trouble !== undefined && (
        <p>
          {trouble}{' '}
          {trouble !== OFF && (
            <button type="button" onClick={() => setAttempt((n) => n + 1)}>
              Try again
            </button>
          )}
        </p>
      )}
      {trouble === undefined && changes.length === 0 && isAll && <p>Nothing is kept.</p>}
      <ol>
        {changes.map((change) => (
          <Change key={change.version} change={change} />
        ))}
      </ol>
      {!isAll && changes.length > 0 && trouble === undefined && (
        <button type="button" onClick={() => setBefore(changes.at(-1)?.version)}>
          Earlier changes
        </button>
      )}
    </section>
  );
}
