import type { Scope } from '../../lib/http/routes.ts';
import { Popover } from './Popover.tsx';
import { Button } from './parts.tsx';
import { Search } from './Search.tsx';
import { may, session, settings } from './session.ts';
import { hasCosts, setCosts, view } from './state.ts';
import { SCREENS } from './view.ts';

const SCOPES: readonly Scope[] = ['users:read', 'users:write', 'users:audit'];

/** Who uses the page, and what they may do. */
function Who() {
  const { isOpen, name, signOut } = session;
  if (name === undefined) return isOpen ? <p>No sign-in here: everyone may do everything</p> : null;
  return (
    <>
      <p>
        <b>{name}</b>
        <br />
        <small>{SCOPES.filter(may).join(' ') || 'no rights'}</small>
      </p>
      <Button text="Sign out" onClick={signOut} />
    </>
  );
}

const Screens = ({ class: kind, onGo }: { class: string; onGo?(): void }) => (
  <nav aria-label="Screens" class={kind}>
    {Object.entries(SCREENS).map(([screen, name]) => {
      const here = view.show === screen ? 'page' : undefined;
      return screen === 'changes' && !may('users:audit') ? null : (
        <a key={screen} href={`#show=${screen}`} onClick={onGo} class="button ghost" aria-current={here}>
          {name}
        </a>
      );
    })}
  </nav>
);

/** Where one is: at which stage, at which screen, and as whom. At prod nobody can overlook it. */
export const Header = () => (
  <header class={settings.stage === 'prod' ? 'top bar hstack prod' : 'top bar hstack'}>
    <h1>
      Users <span class="badge outline">{settings.stage}</span>
    </h1>
    <Screens class="wide hstack gap-1" />
    <span class="end" />
    <Search />
    <Popover text={<span aria-hidden="true">☰</span>} name="Menu">
      {(close) => (
        <div class="vstack">
          <Screens class="narrow vstack" onGo={close} />
          <Who />
          <label>
            <input type="checkbox" checked={hasCosts} onChange={() => setCosts(!hasCosts)} />
            Show units and dollars
          </label>
        </div>
      )}
    </Popover>
  </header>
);
