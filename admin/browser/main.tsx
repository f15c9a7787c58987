import './style.css';
import { render } from 'preact';
import { useReducer } from 'preact/hooks';
import { NewUser, UserCard } from './card/UserCard.tsx';
import { Changes } from './changes/Changes.tsx';
import { isOffline, RequestFailure } from './data/connection.ts';
import { onChange, shared, view } from './data/state.ts';
import { takeBack } from './data/write.ts';
import { Header } from './Header.tsx';
import { UserList } from './list/UserList.tsx';
import { Overview } from './overview/Overview.tsx';
import { keepFocus } from './parts/focus.ts';
import { pressOnce } from './parts/once.ts';
import { Button } from './parts/parts.tsx';
import { Outage, Trouble } from './parts/Trouble.tsx';
import { may, session } from './session/session.ts';

const SCREENS = { overview: Overview, users: UserList, changes: Changes };

/** Why somebody may see nothing at all. The end of a sign-in takes nothing away that is shown. */
function refused(): RequestFailure | undefined {
  if (!session.isOpen() && session.name === undefined) return new RequestFailure(401, '');
  return may('users:read') ? undefined : new RequestFailure(403, 'Your sign-in gives no right to see users');
}

function App() {
  const [, draw] = useReducer<number, void>((drawn) => drawn + 1, 0);
  onChange(draw);
  const { user, at, show } = view;
  const Screen = SCREENS[show];
  const { text, undo } = shared.toast;
  const refusal = refused();
  return (
    <>
      <Header />
      <Outage />
      <div class="beside">
        <main>{refusal ? <Trouble failure={refusal} /> : <Screen />}</main>
        {user === 'new' && may('users:write') && <NewUser />}
        {user !== '' && user !== 'new' && <UserCard id={user} at={at} />}
      </div>
      <div role="status">
        {text && (
          <div class="toast hstack">
            <span>{text}</span>
            {undo && <Button text="Undo" class="outline small" disabled={isOffline()} onClick={() => takeBack(undo)} />}
          </div>
        )}
      </div>
    </>
  );
}

render(<App />, document.body);
keepFocus();
pressOnce();
