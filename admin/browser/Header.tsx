import type { ComponentChildren } from 'preact';
import type { Scope } from '../../lib/http/routes.ts';
import { Popover } from './Popover.tsx';
import { Search } from './Search.tsx';
import { useShared } from './shared.ts';
import { SCREENS } from './view.ts';

const NAMES = { overview: 'Overview', users: 'Users', changes: 'What happened' } as const;

const SCOPES: readonly Scope[] = ['users:read', 'users:write', 'users:audit'];

/** Who uses the page, and what they may do. */
function Who() {
  const { isOpen, name, may, signOut } = useShared().session;
  if (name === undefined) return isOpen ? <p>No sign-in here: everyone may do everything</p> : null;
  return (
    <>
      <p>
        <b>{name}</b>
        <br />
        <small>{SCOPES.filter(may).join(' ') || 'no rights'}</small>
      </p>
      <button type="button" class="outline" onClick={() => signOut?.()}>
        Sign out
      </button>
    </>
  );
}

function Screens({ class: name, onGo }: { class: string; onGo?(): void }) {
  const { session, view } = useShared();
  const screens = session.may('users:audit') ? SCREENS : SCREENS.slice(0, 2);
  return (
    <nav aria-label="Screens" class={name}>
      {screens.map((screen) => {
        const here = view.show === screen ? 'page' : undefined;
        return (
          <a key={screen} href={`#show=${screen}`} onClick={onGo} class="button ghost" aria-current={here}>
            {NAMES[screen]}
          </a>
        );
      })}
    </nav>
  );
}

/** Where one is: at which stage, at which screen, and as whom. At prod nobody can overlook it. @param children more of the menu */
export function Header({ children }: { children: ComponentChildren }) {
  const { stage } = useShared().settings;
  return (
    <header class={stage === 'prod' ? 'top bar hstack prod' : 'top bar hstack'}>
      <h1>
        Users <span class="badge outline">{stage}</span>
      </h1>
      <Screens class="wide hstack gap-1" />
      <span class="end" />
      <Search />
      <Popover text={<span aria-hidden="true">☰</span>} label="Menu">
        {(close) => (
          <div class="vstack">
            <Screens class="narrow vstack" onGo={close} />
            <Who />
            {children}
          </div>
        )}
      </Popover>
    </header>
  );
}
