import { useMemo, useState } from 'preact/hooks';
import type { PageSettings } from '../settings.ts';
import { Changes } from './Changes.tsx';
import { CostLine } from './Costs.tsx';
import { connect } from './connection.ts';
import { toFailure } from './failure.ts';
import { Header } from './Header.tsx';
import { Overview } from './Overview.tsx';
import type { Session } from './session.ts';
import { type Shared, SharedProvider } from './shared.ts';
import { type Toast, ToastLine } from './Toast.tsx';
import { UserCard, UserEditor } from './UserCard.tsx';
import { UserList } from './UserList.tsx';
import { useKey } from './useKey.ts';
import { useTitle } from './useTitle.ts';
import { useView } from './useView.ts';

const SCREENS = { overview: Overview, users: UserList, changes: Changes };

export function App({ settings, session }: { settings: PageSettings; session: Session }) {
  const [answer, onAnswer] = useState<Response>();
  const [hasCosts, setHasCosts] = useState(settings.stage === 'dev');
  const connection = useMemo(() => connect({ api: settings.api, token: session.token, onAnswer }), [settings, session]);
  const [view, go] = useView();
  const [edits, setEdits] = useState(0);
  const [toast, show] = useState<Toast>();
  const mayWrite = session.may('users:write');
  useKey('n', () => mayWrite && go({ user: 'new' }));
  useTitle('stage', `Users ${settings.stage}`);

  const tell: Shared['tell'] = (text, undo) => {
    setEdits((before) => before + 1);
    show({ text, ...(undo && { undo: () => takeBack(undo) }) });
  };

  /** Takes something back, and says so; or why not. */
  async function takeBack(undo: () => Promise<string>): Promise<void> {
    try {
      tell(await undo());
    } catch (error) {
      const { status, message } = toFailure(error);
      if (status === 412 || status === 404) tell('Somebody has changed this since. Nothing was taken back');
      else tell(message, undo);
    }
  }

  const Screen = SCREENS[view.show];
  return (
    <SharedProvider value={{ settings, session, connection, view, go, edits, hasCosts, tell }}>
      <Header>
        <label>
          <input type="checkbox" checked={hasCosts} onChange={() => setHasCosts(!hasCosts)} />
          Show units and dollars
        </label>
      </Header>
      <main>
        <Screen />
      </main>
      {hasCosts && answer && CostLine(answer)}
      {view.user === 'new' && mayWrite && <UserEditor />}
      {view.user !== '' && view.user !== 'new' && (
        <UserCard key={`${view.user} ${view.at}`} id={view.user} at={view.at} />
      )}
      <div class="toasts" role="status">
        {toast && <ToastLine toast={toast} close={() => show(undefined)} />}
      </div>
    </SharedProvider>
  );
}
