import { useState } from 'preact/hooks';
import type { Query, SavedType } from './connection.ts';
import { useShared } from './shared.ts';
import { FailureLine } from './Trouble.tsx';
import { useSaving } from './useSaving.ts';
import { columnsOf, listQuery } from './view.ts';

const NAMES = { 'text/csv': 'users.csv', 'application/x-ndjson': 'users.ndjson' };

function download(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // The browser reads it after this call.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Saves the present list, whole: what is shown of it, or more. It goes on while its button is not shown. */
export function Export({ total }: { total: number }) {
  const { connection, view } = useShared();
  const { attempt, isSaving, failure } = useSaving(() => undefined);
  const [lines, setLines] = useState(0);
  const save = (type: SavedType, query: Query) =>
    attempt(async () => {
      setLines(0);
      download(await connection.save(query, type, setLines), NAMES[type]);
      return true;
    });
  const shown = listQuery(view);
  const columns = { ...shown, fields: columnsOf(view).join(',') };
  return (
    <>
      <FailureLine failure={failure} />
      {isSaving && <progress max={total} value={lines} aria-label="Export" />}
      <button type="button" class="outline" disabled={isSaving} onClick={() => save('text/csv', columns)}>
        Export
      </button>
    </>
  );
}
