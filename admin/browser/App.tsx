import { Fragment } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { PageSettings } from '../settings.ts';
import { Changes } from './Changes.tsx';
import { addCost, CostLine, NO_COSTS } from './Costs.tsx';
import { type ChangeType, connect, type User } from './connection.ts';
import { Empty } from './Empty.tsx';
import { fieldsOfUser } from './edit.ts';
import { toFailure } from './failure.ts';
import { Header } from './Header.tsx';
import { NewUser } from './NewUser.tsx';
import { Overview } from './Overview.tsx';
import { Quoted } from './Quoted.tsx';
import type { Cost } from './send.ts';
import type { Session } from './session.ts';
import { ToastLine, useToast } from './Toast.tsx';
import { UserCard } from './UserCard.tsx';
import { UserList } from './UserList.tsx';
import { useKey } from './useKey.ts';
import { useView } from './useView.ts';

export function App({ settings, session }: { settings: PageSettings; session: Session }) {
  const [costs, setCosts] = useState(NO_COSTS);
  const connection = useMemo(() => {
    const onCost = (cost: Cost) => setCosts((before) => addCost(before, cost));
    return connect({ api: settings.api, token: session.token, onCost });
  }, [settings, session]);
  const [view, go] = useView();
  const [edits, setEdits] = useState(0);
  const reload = () => setEdits((before) => before + 1);
  const [toast, show] = useToast();
  const tell = (text: string, label: string, run: () => void) => show({ text, action: { label, run } });
  const mayWrite = session.may('users:write');
  const openNew = () => mayWrite && go({ user: 'new' });
  useKey('n', openNew);

  const close = () => go({ user: undefined, at: undefined });

  async function bringBack(user: User): Promise<void> {
    try {
      await connection.bringBack(user.id, fieldsOfUser(user));
      show({ text: `${user.name} is back` });
    } catch (error) {
      const { status, message } = toFailure(error);
      if (status === 412) show({ text: `${user.name} is back already` });
      else tell(`${user.name} is not back: ${message}`, 'Try again', () => bringBack(user));
    }
    reload();
  }

  function onDone(user: User, type: ChangeType): void {
    reload();
    if (type === 'updated') show({ text: `${user.name} was saved` });
    if (type === 'created') tell(`${user.name} was created`, 'Open', () => go({ user: String(user.id) }));
    if (type === 'deleted') tell(`${user.name} was deleted`, 'Undo', () => bringBack(user));
  }

  const shared = { settings, session, connection, view, go, edits };
  return (
    <>
      <Header {...shared} openNew={openNew} />
      <main class="p-4">
        {view.unknown && (
          <p role="alert" class="notice">
            Nothing here is called{' '}
            {view.unknown.map((text, index) => (
              <Fragment key={text}>
                {index > 0 && ', '}
                <Quoted text={text} />
              </Fragment>
            ))}
            : that part of the address is left out.
          </p>
        )}
        {view.show === 'overview' && (
          <Overview {...shared} empty={mayWrite && <Empty {...shared} onFilled={reload} />} />
        )}
        {view.show === 'users' && <UserList {...shared} />}
        {view.show === 'changes' && <Changes {...shared} bringBack={bringBack} />}
      </main>
      <CostLine costs={costs} />
      {view.user === 'new' && mayWrite && <NewUser {...shared} onClose={close} onDone={onDone} />}
      {view.user !== undefined && view.user !== 'new' && (
        <UserCard
          {...shared}
          key={`${view.user} ${view.at}`}
          id={view.user}
          at={view.at}
          onClose={close}
          onDone={onDone}
          bringBack={bringBack}
        />
      )}
      <div class="toast-container" data-placement="bottom-center" role="status">
        {toast && <ToastLine toast={toast} close={() => show(undefined)} />}
      </div>
    </>
  );
}
