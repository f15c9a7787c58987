import { useMemo, useState } from 'preact/hooks';
import type { PageSettings } from '../settings.ts';
import { addCost, CostLine, NO_COSTS } from './Costs.tsx';
import { connect, type User } from './connection.ts';
import { ExportButton, useExport } from './Export.tsx';
import { fieldsOfUser } from './edit.ts';
import { Filters } from './Filters.tsx';
import { toFailure } from './failure.ts';
import { NewUser } from './NewUser.tsx';
import { Pager } from './Pager.tsx';
import { Search } from './Search.tsx';
import type { Cost } from './send.ts';
import type { Session } from './session.ts';
import { Toasts, useToasts } from './Toasts.tsx';
import { Trouble } from './Trouble.tsx';
import { UserCard } from './UserCard.tsx';
import { UserTable } from './UserTable.tsx';
import { useKey } from './useKey.ts';
import { useList } from './useList.ts';
import { type Go, useView } from './useView.ts';
import type { View } from './view.ts';

/** What to do about an empty list. */
function Nobody({ mayWrite, view, go }: { mayWrite: boolean; view: View; go: Go }) {
  const hasFilters = Object.keys(view.filters).length > 0;
  const [title, label] = hasFilters
    ? ['Nobody matches', 'Clear all filters']
    : ['No users yet', 'Create the first one'];
  const next = hasFilters ? { filters: {}, page: 0 } : { user: 'new' };
  return (
    <div class="notice">
      <h2>{title}</h2>
      {(hasFilters || mayWrite) && (
        <button type="button" class="outline" onClick={() => go(next)}>
          {label}
        </button>
      )}
    </div>
  );
}

export function App({ settings, session }: { settings: PageSettings; session: Session }) {
  const [costs, setCosts] = useState(NO_COSTS);
  const connection = useMemo(() => {
    const onCost = (cost: Cost) => setCosts((before) => addCost(before, cost));
    return connect({ api: settings.api, token: session.token, onCost });
  }, [settings, session]);
  const [view, go] = useView();
  const { value: page, failure, isLoading, reload } = useList(connection, view);
  const [toasts, show, remove] = useToasts();
  const tell = (text: string, label: string, run: () => void) => show({ text, action: { label, run } });
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
      const { status, message } = toFailure(error);
      if (status === 412) show({ text: `${user.name} is back already` });
      else tell(`${user.name} is not back: ${message}`, 'Undo', () => undo(user));
    }
    reload();
  }

  return (
    <>
      <header class="hstack p-4">
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
      <main class="p-4">
        <Filters connection={connection} view={view} go={go} />
        {failure && <Trouble failure={failure} session={session} retry={reload} />}
        {!page && !failure && <p class="notice">Loading …</p>}
        {page && (
          <>
            {page.totalElements > 0 ? (
              <UserTable users={page.content} view={view} isLoading={isLoading} go={go} />
            ) : (
              <Nobody mayWrite={mayWrite} view={view} go={go} />
            )}
            {page.totalElements > 0 && page.content.length === 0 && (
              <p class="notice">The list ends before this page.</p>
            )}
            <div class="mt-4 hstack justify-between">
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
            tell(`${user.name} was created`, 'Open', () => go({ user: String(user.id) }));
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
            tell(`${user.name} was deleted`, 'Undo', () => undo(user));
          }}
        />
      )}
      <Toasts toasts={toasts} remove={remove} />
    </>
  );
}
