import { useCallback } from 'preact/hooks';
import type { Connection } from './connection.ts';
import { ExportButton } from './Export.tsx';
import { Filters } from './Filters.tsx';
import { Pager } from './Pager.tsx';
import type { Session } from './session.ts';
import { Trouble } from './Trouble.tsx';
import { UserTable } from './UserTable.tsx';
import { useReading } from './useReading.ts';
import type { Go } from './useView.ts';
import { listQuery, type View } from './view.ts';

interface Props {
  connection: Connection;
  session: Session;
  view: View;
  go: Go;
  /** Counts what was changed here: with another number the list is read again. */
  edits: number;
}

/** The list of a view, and what narrows it. */
export function UserList({ connection, session, view, go, edits }: Props) {
  const asked = JSON.stringify({ page: view.page, size: view.size, ...listQuery(view) });
  const read = useCallback(
    (signal: AbortSignal) => connection.list(JSON.parse(asked), signal),
    [connection, asked, edits],
  );
  const { value: page, failure, isLoading } = useReading(read);
  return (
    <>
      <Filters connection={connection} view={view} go={go} />
      {failure && <Trouble failure={failure} session={session} />}
      {!page && !failure && <p class="notice">Loading …</p>}
      {page && (
        <>
          <UserTable users={page.content} view={view} isLoading={isLoading} go={go} />
          {page.content.length === 0 && (
            <p class="notice">{page.totalElements > 0 ? 'The list ends before this page.' : 'Nobody matches.'}</p>
          )}
          <div class="mt-4 hstack justify-between">
            <Pager page={page} go={go} />
            <ExportButton connection={connection} session={session} view={view} total={page.totalElements} />
          </div>
        </>
      )}
    </>
  );
}
