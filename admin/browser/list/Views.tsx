import { wordsOf } from '../data/filters.ts';
import { addressWith, share, shared, view } from '../data/state.ts';
import { numberOf } from '../data/time.ts';
import { readView } from '../data/view.ts';
import { Button, Popover } from '../parts/parts.tsx';
import { useReading } from '../parts/useReading.tsx';
import { settings } from '../session/session.ts';
import { areTexts, readStored } from '../session/stored.ts';
import { totalOf } from '../values/useCounted.ts';

/** A list that somebody has named: in this browser alone. */
interface Named {
  name: string;
  /** The part of the address behind `#`, without a page and a card. */
  address: string;
}

/** Each costs a unit. */
const MOST = 12;

const KEY = `views of ${settings.api}`;

const readViews = (): readonly Named[] =>
  readStored<readonly Named[]>(localStorage, KEY, (views) =>
    views.every(({ name, address }) => areTexts(name, address)),
  ) ?? [];

/** Another tab may have stored others since they were shown here: they stay. */
function storeViews(change: (views: readonly Named[]) => readonly Named[]): void {
  localStorage.setItem(KEY, JSON.stringify(change(readViews())));
  share({});
}

/** The address of the present list, without what is of the moment. */
const addressHere = (change = {}) => addressWith({ page: '', user: '', at: '', show: 'users', ...change });

const addressOfAll = () => addressHere({ filters: {}, sort: [], column: [] });

/** How many users each view has. None is known where it cannot be read. */
function useTotals(views: readonly Named[]): ReadonlyMap<string, number> {
  const { value = new Map<string, number>() } = useReading(JSON.stringify([views, shared.edits]), async (signal) => {
    const totals = views.map(async ({ address }) => {
      const total = await totalOf(readView(address).filters, signal).catch(() => undefined);
      return total === undefined ? [] : [[address, total] as const];
    });
    return new Map((await Promise.all(totals)).flat());
  });
  return value;
}

/** Gives the present list a name, by Enter, too, or takes it away. */
export function SaveView() {
  const views = readViews();
  const address = addressHere();
  const without = (all: readonly Named[]) => all.filter((each) => each.address !== address);
  if (without(views).length < views.length)
    return <Button text="Forget this view" class="ghost" onClick={() => storeViews(without)} />;
  if (address === addressOfAll() || views.length >= MOST) return null;
  return (
    <Popover sign="plus" text="Save this view" class="ghost">
      {(close) => (
        <form
          class="hstack gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            const name = String(new FormData(event.currentTarget).get('name')).trim();
            close();
            storeViews((all) => [...without(all), { name, address }]);
          }}
        >
          <input
            autofocus
            required
            pattern=".*\S.*"
            name="name"
            aria-label="Name of the view"
            maxLength={40}
            autocomplete="off"
            defaultValue={wordsOf(view.filters)}
            // Another name takes its place.
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <button type="submit">Save</button>
        </form>
      )}
    </Popover>
  );
}

/** The lists that somebody has named, each one click away, with its number. */
export function Views() {
  const named = readViews();
  const totals = useTotals(named);
  const here = addressHere();
  const views = [{ name: 'All', address: addressOfAll() }, ...named];
  return (
    <nav class="views" aria-label="Views">
      <ul class="unstyled">
        {views.map(({ name, address }) => (
          <li key={address}>
            <a href={address} dir="auto" aria-current={address === here ? 'page' : undefined}>
              {name} {totals.has(address) && <small>{numberOf(totals.get(address) ?? 0)}</small>}
            </a>
          </li>
        ))}
      </ul>
      <span class="wide">
        <SaveView />
      </span>
    </nav>
  );
}
