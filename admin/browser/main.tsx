import './style.css';
import { render } from 'preact';
import { useReducer } from 'preact/hooks';
import { Changes } from './Changes.tsx';
import { CostLine } from './Costs.tsx';
import { toFailure } from './connection.ts';
import { Header } from './Header.tsx';
import { Overview } from './Overview.tsx';
import { Button } from './parts.tsx';
import { may } from './session.ts';
import { onChange, say, shared, tell, type Undo, view } from './state.ts';
import { UserCard, UserEditor } from './UserCard.tsx';
import { UserList } from './UserList.tsx';

const SCREENS = { overview: Overview, users: UserList, changes: Changes };

/** Takes something back, which says so itself, or says why not. */
async function takeBack(undo: Undo): Promise<void> {
  say('It is taken back …');
  await undo().catch((error: unknown) => tell(`Not taken back: ${toFailure(error).message}`, undo));
}

function App() {
  const [, draw] = useReducer<number, void>((drawn) => drawn + 1, 0);
  onChange(draw);
  const { user, at, show } = view;
  const Screen = SCREENS[show];
  const { text, undo } = shared.toast;
  return (
    <>
      <Header />
      <main>
        <Screen />
      </main>
      {shared.hasCosts && shared.answer && CostLine(shared.answer)}
      {user === 'new' && may('users:write') && <UserEditor />}
      {user !== '' && user !== 'new' && <UserCard key={`${user} ${at}`} id={user} at={at} />}
      <div class="toast-container" data-placement="bottom-center" role="status">
        {text && (
          <div class="toast hstack">
            <span dir="auto">{text}</span>
            {undo && <Button text="Undo" class="outline small" onClick={() => takeBack(undo)} />}
          </div>
        )}
      </div>
    </>
  );
}

render(<App />, document.body);
