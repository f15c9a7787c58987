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

/** Saves the present list, whole, as CSV. It goes on while the button is not shown. */
export function ExportButton({ connection, session, view }: { connection: Connection; session: Session; view: View }) {
  const { attempt, isSaving, failure } = useSaving(() => undefined);
  const save = () =>
    attempt(async () => {
      download(await connection.csv(listQuery(view)));
      return true;
    });
  return (
    <>
      <FailureLine failure={failure} session={session} />
      <button type="button" class="outline" disabled={isSaving} onClick={save}>
        {isSaving ? 'Exporting …' : 'Export CSV'}
      </button>
    </>
  );
}
