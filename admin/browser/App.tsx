import { useMemo, useState } from 'preact/hooks';
import type { PageSettings } from '../settings.ts';
import { addCost, CostLine, NO_COSTS } from './Costs.tsx';
import { connect, type User } from './connection.ts';
import { ExportButton } from './ExportButton.tsx';
import { fieldsOfUser } from './edit.ts';
import { Filters } from './Filters.tsx';
import { RequestFailure } from './failure.ts';
import { NewUser } from './NewUser.tsx';
import { Pager } from './Pager.tsx';
import { Search } from './Search.tsx';
import type { Session } from './session.ts';
import { Toasts, useToasts } from './Toasts.tsx';
import { Trouble } from './Trouble.tsx';
import { UserCard } from './UserCard.tsx';
import { UserTable } from './UserTable.tsx';
import { useExport } from './useExport.ts';
import { useKey } from './useKey.ts';
import { useList } from './useList.ts';
import { useView } from './useView.ts';

export function App({ settings, session }: { settings: PageSettings; session: Session }) {
  const [costs, setCosts] = useState(NO_COSTS);
  const connection = useMemo(
    () =>
      connect({
        api: settings.api,
        token: session.token,
        onCost: (cost) => setCosts((before) => addCost(before, cost)),
      }),
    [settings, session],
  );
  const [view, go] = useView();
  const { value: page, failure, isLoading, reload } = useList(connection, view);
  const [toasts, show, remove] = useToasts();
  const running = useExport(connection, ({ message }) => show({ text: `Not exported: ${message}` }));
  const mayWrite = session.may('users:write');
  const openNew = () => mayWrite && go({ user: 'new' });
  useKey('n', openNew);

  /** Only this card: the address bar may have another one by now. */
  const close = () => go((now) => (now.user === view.user ? { ...now, user: undefined } : now));

  async function undo(user: User): Promise<void> {
    try {
      await connection.bringBack(user.id, fieldsOfUser(user));
      show({ text: `${user.name} is back` });
    } catch (error) {
      const isBack = error instanceof RequestFailure && error.status === 412;
      if (isBack) show({ text: `${user.name} is back already` });
      else {
        const text = `${user.name} is not back: ${(error as Error).message}`;
        show({ text, action: { label: 'Undo', run: () => undo(user) } });
      }
    }
    reload();
  }

  const hasFilters = Object.keys(view.filters).length > 0;
  return (
    <>
      <header class="hstack">
        <h1>Users</h1>
        <Search view={view} go={go} />
        {mayWrite && (
          <button type="button" aria-keyshortcuts="n" onClick={openNew}>
            New user
          </button>
        )}
        {session.name !== undefined && (
          <span class="hstack gap-2">
            {session.name}
            <button type="button" class="outline" onClick={() => session.signOut?.()}>
              Sign out
            </button>
          </span>
        )}
      </header>
      <main>
        <Filters view={view} go={go} />
        <div class={isLoading ? 'loading' : 'loaded'} aria-hidden="true" />
        {failure && <Trouble failure={failure} session={session} retry={reload} />}
        {!page && !failure && <p class="notice">Loading …</p>}
        {page && (
          <>
            {page.totalElements === 0 && (
              <div class="notice">
                <h2>{hasFilters ? 'Nobody matches' : 'No users yet'}</h2>
                {hasFilters ? (
                  <button type="button" class="outline" onClick={() => go({ filters: {}, page: 0 })}>
                    Clear all filters
                  </button>
                ) : (
                  mayWrite && (
                    <button type="button" class="outline" onClick={openNew}>
                      Create the first one
                    </button>
                  )
                )}
              </div>
            )}
            {page.totalElements > 0 && (
              <>
                <UserTable
                  users={page.content}
                  view={view}
                  isLoading={isLoading}
                  onSort={(sorts) => go({ sorts, page: 0 })}
                  onOpen={(id) => go({ user: id })}
                />
                {page.content.length === 0 && <p class="notice">The list ends before this page.</p>}
              </>
            )}
            <div class="bar hstack justify-between">
              <Pager page={page} go={go} />
              <ExportButton running={running} view={view} total={page.totalElements} />
            </div>
          </>
        )}
      </main>
      <CostLine costs={costs} />
      {view.user === 'new' && mayWrite && (
        <NewUser
          connection={connection}
          session={session}
          onClose={close}
          onCreated={(user) => {
            reload();
            show({
              text: `${user.name} was created`,
              action: { label: 'Open', run: () => go({ user: String(user.id) }) },
            });
          }}
        />
      )}
      {view.user !== undefined && view.user !== 'new' && (
        <UserCard
          key={view.user}
          id={view.user}
          connection={connection}
          session={session}
          onClose={close}
          onSaved={(user) => {
            reload();
            show({ text: `${user.name} was saved` });
          }}
          onDeleted={(user) => {
            reload();
            show({ text: `${user.name} was deleted`, action: { label: 'Undo', run: () => undo(user) } });
          }}
        />
      )}
      <Toasts toasts={toasts} remove={remove} />
    </>
  );
}
