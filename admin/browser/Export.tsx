import { useState } from 'preact/hooks';
import type { Query, SavedType } from './connection.ts';
import { Popover } from './Popover.tsx';
import { useShared } from './shared.ts';
import { FailureLine } from './Trouble.tsx';
import { useSaving } from './useSaving.ts';
import { columnsOf, listQuery, type View } from './view.ts';

const NAMES = { 'text/csv': 'users.csv', 'application/x-ndjson': 'users.ndjson' };

function download(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // The browser reads it after this call.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Saves the present list, whole: what is shown of it, or more. It goes on while its button is not shown. */
export function Export({ total, filters }: { total: number; filters: View['filters'] }) {
  const { connection, view } = useShared();
  const { attempt, isSaving, failure } = useSaving(() => undefined);
  const [lines, setLines] = useState(0);
  const save = (type: SavedType, query: Query) =>
    attempt(async () => {
      setLines(0);
      download(await connection.save(query, type, setLines), NAMES[type]);
      return true;
    });
  const shown = listQuery({ ...view, filters });
  const choices: [text: string, type: SavedType, query: Query][] = [
    ['All their fields, for a spreadsheet (CSV)', 'text/csv', shown],
    ['All their fields, for programs (NDJSON)', 'application/x-ndjson', shown],
    ['All users with all fields (CSV)', 'text/csv', {}],
  ];
  const columns = { ...shown, fields: columnsOf(view).join(',') };
  return (
    <>
      <FailureLine failure={failure} />
      {isSaving && <progress max={total} value={lines} aria-label="Export" />}
      <span class="pair">
        <button type="button" class="outline" disabled={isSaving} onClick={() => save('text/csv', columns)}>
          Export
        </button>
        <Popover text="▾" label="Other exports" class="outline square wide">
          {() =>
            choices.map(([text, type, query]) => (
              <button key={text} type="button" class="ghost" onClick={() => save(type, query)}>
                {text}
              </button>
            ))
          }
        </Popover>
      </span>
    </>
  );
}
