import { useState } from 'preact/hooks';
import type { Connection } from './connection.ts';
import type { Session } from './session.ts';
import { FailureLine } from './Trouble.tsx';
import { useSaving } from './useSaving.ts';
import { listQuery, type View } from './view.ts';

function download(content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = 'users.csv';
  link.click();
  // The browser reads it after this call.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

type Props = { connection: Connection; session: Session; view: View; total: number };

/** Saves the present list, whole, as CSV. It goes on while the button is not shown. */
export function ExportButton({ connection, session, view, total }: Props) {
  const { attempt, isSaving, failure } = useSaving(() => undefined);
  const [lines, setLines] = useState(0);
  const save = () =>
    attempt(async () => {
      setLines(0);
      download(await connection.csv(listQuery(view), setLines));
      return true;
    });
  return (
    <>
      <FailureLine failure={failure} session={session} />
      {isSaving && <progress max={total} value={lines} aria-label="Export" />}
      <button type="button" class="outline" disabled={isSaving} onClick={save}>
        Export CSV
      </button>
    </>
  );
}
