import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import type { PageSettings } from '../settings.ts';
import { Button } from './Button.tsx';
import { Changes } from './Changes.tsx';
import { CostLine } from './Costs.tsx';
import { connect, toFailure } from './connection.ts';
import { Header } from './Header.tsx';
import { Overview } from './Overview.tsx';
import type { Session } from './session.ts';
import { type Shared, SharedProvider, type Undo } from './shared.ts';
import { UserCard, UserEditor } from './UserCard.tsx';
import { UserList } from './UserList.tsx';
import { useKey, useTitle, useView } from './useWindow.ts';

/** How long a sentence is shown, unless another one comes. */
const SHOWN_MS = 10_000;

/** How long, if what was done can be taken back. */
const OFFERED_MS = 30_000;

/** After so long what happened has it, too. */
const TOLD_MS = 20_000;

const SCREENS = { overview: Overview, users: UserList, changes: Changes };

export function App({ settings, session }: { settings: PageSettings; session: Session }) {
  const [answer, onAnswer] = useState<Response>();
  const [hasCosts, setHasCosts] = useState(settings.stage === 'dev');
  const connection = useMemo(() => connect(settings.api, session.token, onAnswer), [settings, session]);
  const [view, go] = useView();
  const [edits, readAnew] = useReducer<number, void>((before) => before + 1, 0);
  const [toast, show] = useState<{ text: string; undo?: Undo | undefined }>();
  const mayWrite = session.may('users:write');
  useKey('n', () => mayWrite && go({ user: 'new' }));
  useTitle('stage', `Users ${settings.stage}`);

  useEffect(() => {
    const timer = setTimeout(show, toast?.undo ? OFFERED_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast]);

  const tell: Shared['tell'] = (text, undo) => {
    readAnew();
    setTimeout(readAnew, TOLD_MS);
    show({ text, undo });
  };

  /** Takes something back, and says so; or why not. */
  async function takeBack(back: Undo): Promise<void> {
    show({ text: 'It is taken back …' });
    try {
      tell(await back());
    } catch (error) {
      const { status, message } = toFailure(error);
      if (status === 412 || status === 404) tell('Somebody has changed this since. Nothing was taken back');
      else tell(message, back);
    }
  }

  const undo = toast?.undo;
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
      <div class="toast-container" data-placement="bottom-center" role="status">
        {toast && (
          <div class="toast hstack">
            <span dir="auto">{toast.text}</span>
            {undo && <Button text="Undo" class="outline small" onClick={() => takeBack(undo)} />}
          </div>
        )}
      </div>
    </SharedProvider>
  );
}
