import { useEffect, useState } from 'preact/hooks';
import { type Chosen, ChosenBar } from './ChosenBar.tsx';
import { Columns } from './Columns.tsx';
import { type Page, read } from './connection.ts';
import { Export } from './Export.tsx';
import { valuesOf } from './edit.ts';
import { Chips, FilterAdder } from './Filters.tsx';
import { isAttribute, namedFilters } from './filters.ts';
import { Empty, Nobody } from './Nobody.tsx';
import { Pager } from './Pager.tsx';
import { Popover, Short } from './parts.tsx';
import { may } from './session.ts';
import { go, shared, view } from './state.ts';
import { counted } from './time.ts';
import { UserTable } from './UserTable.tsx';
import { useReading } from './useReading.tsx';
import { useTitle } from './useWindow.ts';
import { listQuery } from './view.ts';

const NOBODY: Chosen = new Set();

/** The number of users, what narrows the list, and the list. */
export function UserList() {
  const asked = { page: view.page, size: view.size, ...listQuery(view) };
  const key = `${shared.edits} ${JSON.stringify(asked)}`;
  const { value: page, failure, isLoading, trouble } = useReading(key, (signal) => read<Page>('', asked, signal));
  const all = page?.content.flatMap((user) => [...valuesOf(user).keys()].filter(isAttribute));
  const attributes = [...new Set(all)].toSorted();
  const total = page?.totalElements ?? 0;
  const [chosen, choose] = useState<Chosen>(NOBODY);
  // With other filters it is another list.
  useEffect(() => choose(NOBODY), [JSON.stringify(view.filters)]);
  const words = namedFilters(view.filters)
    .map(({ text }) => text)
    .join(', ');
  const count = page ? counted(total, 'user') : 'Users';
  useTitle('screen', words === '' ? count : `${count}: ${words}`);
  return (
    <section class="list" aria-label="List">
      <div class="bar hstack">
        <h2>
          <output>
            {count}
            <span class="unseen">{words === '' ? '' : ` with ${words}`}</span>
          </output>
        </h2>
        {words !== '' && <Chips />}
        <Popover text="+ Filter">{() => <FilterAdder attributes={attributes} />}</Popover>
        <span class="end hstack gap-2">
          <Columns attributes={attributes} />
          <Export filters={view.filters} />
          {may('users:write') && (
            <button type="button" aria-label="New user" onClick={() => go({ user: 'new' })}>
              <Short text="New user" sign="+" />
            </button>
          )}
        </span>
      </div>
      {(chosen === 'all' || chosen.size > 0) && <ChosenBar chosen={chosen} total={total} choose={choose} />}
      {trouble}
      {page && total === 0 && (words === '' ? <Empty /> : <Nobody words={words} />)}
      {page && total > 0 && page.content.length === 0 && <p class="notice bar">The list ends before this page.</p>}
      {page && page.content.length > 0 && (
        <UserTable users={page.content} isBusy={isLoading || failure !== undefined} chosen={chosen} choose={choose} />
      )}
      {page && <Pager page={page} />}
    </section>
  );
}
