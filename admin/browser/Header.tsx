import { share, shared, view } from './data/state.ts';
import { SCREENS } from './data/view.ts';
import { Costs } from './parts/Costs.tsx';
import { Icon } from './parts/icons.tsx';
import { Button, Popover } from './parts/parts.tsx';
import { Search } from './Search.tsx';
import { may, session, settings } from './session/session.ts';

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

const { isOpen, name, rights, signOut } = session;

/** "AL" for Ann Lee. */
const initials = (name ?? '')
  .split(/[\s@.]+/)
  .flatMap((word) => [...word].slice(0, 1))
  .slice(0, 2)
  .join('')
  .toLocaleUpperCase();

const Face = () => (
  <span aria-hidden="true">
    {initials !== '' && <span class="wide">{initials}</span>}
    <span class={initials === '' ? undefined : 'narrow'}>
      <Icon of="menu" />
    </span>
  </span>
);

/** Where one is: at which stage, at which screen, and as whom. At prod nobody can overlook it. */
export const Header = () => (
  <header class={settings.stage === 'prod' ? 'top bar hstack prod' : 'top bar hstack'}>
    <h1>
      Users <span class="badge outline">{settings.stage}</span>
    </h1>
    <Screens class="wide hstack gap-1" />
    <Search />
    <Popover text={<Face />} name="Menu" class="ghost face">
      {(close) => (
        <div class="vstack">
          <Screens class="narrow vstack" onGo={close} />
          <b>{name ?? (isOpen() && 'No sign-in here: everyone may do everything')}</b>
          <small>{rights}</small>
          {name !== undefined && <Button text="Sign out" onClick={signOut} />}
          <label>
            <input type="checkbox" checked={shared.hasCosts} onChange={() => share({ hasCosts: !shared.hasCosts })} />
            Show units and dollars
          </label>
          <Costs />
        </div>
      )}
    </Popover>
  </header>
);
