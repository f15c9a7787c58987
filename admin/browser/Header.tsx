import type { ComponentChildren } from 'preact';
import type { Scope } from '../../lib/http/routes.ts';
import { Button } from './Button.tsx';
import { Popover } from './Popover.tsx';
import { Search } from './Search.tsx';
import { useShared } from './shared.ts';
import { SCREENS } from './view.ts';

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
      <Button text="Sign out" onClick={() => signOut?.()} />
    </>
  );
}

function Screens({ class: kind, onGo }: { class: string; onGo?(): void }) {
  const { session, view } = useShared();
  const screens = Object.entries(SCREENS).filter(([screen]) => screen !== 'changes' || session.may('users:audit'));
  return (
    <nav aria-label="Screens" class={kind}>
      {screens.map(([screen, name]) => {
        const here = view.show === screen ? 'page' : undefined;
        return (
          <a key={screen} href={`#show=${screen}`} onClick={onGo} class="button ghost" aria-current={here}>
            {name}
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
      <Popover text={<span aria-hidden="true">☰</span>} name="Menu">
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
