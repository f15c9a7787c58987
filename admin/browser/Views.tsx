import { useState } from 'preact/hooks';
import { read, type ValueCounts } from './connection.ts';
import { namedFilters } from './filters.ts';
import { Icon } from './icons.tsx';
import { Button, Popover } from './parts.tsx';
import { shared, view } from './state.ts';
import { numberOf } from './time.ts';
import { useReading } from './useReading.tsx';
import { addressOf, filtersOf, MOST_VIEWS, type Named, readViews, storeViews } from './views.ts';

/** How many users each view has. None is known where it cannot be read. */
function useTotals(views: readonly Named[]): ReadonlyMap<string, number> {
  const { value = new Map<string, number>() } = useReading(JSON.stringify([views, shared.edits]), async (signal) => {
    const totals = views.map(async (each) => {
      const counts = await read<ValueCounts>('/counts', { ...filtersOf(each), by: 'status' }, signal).catch(() => null);
      return counts ? [[each.address, counts.total] as const] : [];
    });
    return new Map((await Promise.all(totals)).flat());
  });
  return value;
}

/** Gives the present view a name. Enter does it. */
function Namer({ save }: { save(name: string): void }) {
  const words = namedFilters(view.filters).map(({ text }) => text);
  const [name, setName] = useState(words.join(', '));
  return (
    <form
      class="hstack gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') save(name.trim());
      }}
    >
      <input
        autofocus
        aria-label="Name of the view"
        maxLength={40}
        autocomplete="off"
        value={name}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <button type="submit">Save</button>
    </form>
  );
}

/** The lists that somebody has named, each one click away, with its number. */
export function Views() {
  const [views, setViews] = useState(readViews);
  const totals = useTotals(views);
  const here = addressOf(view);
  const store = (next: readonly Named[]) => {
    storeViews(next);
    setViews(next);
  };
  const isNamed = views.some(({ address }) => address === here);
  const all = addressOf({ ...view, filters: {}, sort: [], column: [] });
  return (
    <nav class="views" aria-label="Views">
      <ul class="unstyled">
        {[{ name: 'All', address: all }, ...views].map(({ name, address }) => (
          <li key={address}>
            <a href={address} dir="auto" aria-current={address === here ? 'page' : undefined}>
              {name} {totals.has(address) && <small>{numberOf(totals.get(address) ?? 0)}</small>}
            </a>
          </li>
        ))}
      </ul>
      {isNamed ? (
        <Button
          text="Forget this view"
          class="link end"
          onClick={() => store(views.filter(({ address }) => address !== here))}
        />
      ) : (
        here !== all &&
        views.length < MOST_VIEWS && (
          <Popover
            text={
              <>
                <Icon of="plus" /> Save this view
              </>
            }
            class="ghost end"
          >
            {(close) => (
              <Namer
                save={(name) => {
                  close();
                  store([...views, { name, address: here }]);
                }}
              />
            )}
          </Popover>
        )
      )}
    </nav>
  );
}
