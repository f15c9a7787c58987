import type { Scope } from '../../lib/http/routes.ts';
import type { PageSettings } from '../settings.ts';
import { Search } from './Search.tsx';
import type { Session } from './session.ts';
import type { Go } from './useView.ts';
import { SCREENS, type View } from './view.ts';

const NAMES = { overview: 'Overview', users: 'Users', changes: 'What happened' } as const;

const SCOPES: readonly Scope[] = ['users:read', 'users:write', 'users:audit'];

/** Who uses the page, and what they may do. */
function Who({ session: { isOpen, name, may, signOut } }: { session: Session }) {
  if (name === undefined) return isOpen ? <small>No sign-in here: everyone may do everything</small> : null;
  return (
    <span class="hstack gap-2">
      <span>
        <b>{name}</b>
        <br />
        <small>{SCOPES.filter(may).join(' ') || 'no rights'}</small>
      </span>
      <button type="button" class="outline" onClick={() => signOut?.()}>
        Sign out
      </button>
    </span>
  );
}

interface Props {
  settings: PageSettings;
  session: Session;
  view: View;
  go: Go;
  openNew(): void;
}

/** Where one is: at which stage, at which screen, and as whom. At prod nobody can overlook it. */
export function Header({ settings: { stage }, session, view, go, openNew }: Props) {
  return (
    <header class={`hstack p-4${stage === 'prod' ? ' prod' : ''}`}>
      <h1>
        Users <span class="badge outline">{stage}</span>
      </h1>
      <nav aria-label="Screens" class="hstack gap-2">
        {(session.may('users:audit') ? SCREENS : SCREENS.slice(0, 2)).map((screen) => (
          <a
            key={screen}
            href={`#show=${screen}`}
            class={`button ${view.show === screen ? 'outline' : 'ghost'}`}
            aria-current={view.show === screen ? 'page' : undefined}
          >
            {NAMES[screen]}
          </a>
        ))}
      </nav>
      <Search view={view} go={go} />
      {session.may('users:write') && (
        <button type="button" aria-keyshortcuts="n" onClick={openNew}>
          New user
        </button>
      )}
      <Who session={session} />
    </header>
  );
}
