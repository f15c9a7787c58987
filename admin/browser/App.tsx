import { useReducer } from 'preact/hooks';
import { Changes } from './Changes.tsx';
import { CostLine } from './Costs.tsx';
import { toFailure } from './connection.ts';
import { Header } from './Header.tsx';
import { Overview } from './Overview.tsx';
import { Button } from './parts.tsx';
import { may, settings } from './session.ts';
import { hasCosts, onChange, say, tell, toast, type Undo, view } from './state.ts';
import { UserCard, UserEditor } from './UserCard.tsx';
import { UserList } from './UserList.tsx';
import { useTitle } from './useWindow.ts';

const SCREENS = { overview: Overview, users: UserList, changes: Changes };

/** Takes something back, and says so; or why not. */
async function takeBack(text: string, back: Undo): Promise<void> {
  say('It is taken back …');
  try {
    const said = await back();
    tell(typeof said === 'string' ? said : `Undone: ${text}`);
  } catch (error) {
    const { status, message } = toFailure(error);
    if (status === 412 || status === 404) tell('Somebody has changed this since. Nothing was taken back');
    else tell(message, back);
  }
}

export function App() {
  const [, draw] = useReducer<number, void>((drawn) => drawn + 1, 0);
  onChange(draw);
  useTitle('stage', `Users ${settings.stage}`);
  const { user, at, show } = view;
  const Screen = SCREENS[show];
  const { text, undo } = toast ?? {};
  return (
    <>
      <Header />
      <main>
        <Screen />
      </main>
      {hasCosts && <CostLine />}
      {user === 'new' && may('users:write') && <UserEditor />}
      {user !== '' && user !== 'new' && <UserCard key={`${user} ${at}`} id={user} at={at} />}
      <div class="toast-container" data-placement="bottom-center" role="status">
        {text && (
          <div class="toast hstack">
            <span dir="auto">{text}</span>
            {undo && <Button text="Undo" class="outline small" onClick={() => takeBack(text, undo)} />}
          </div>
        )}
      </div>
    </>
  );
}
