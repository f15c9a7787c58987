import { useEffect, useState } from 'preact/hooks';
import { Chips, chipsOf } from './Chips.tsx';
import { type Chosen, ChosenBar } from './ChosenBar.tsx';
import { Columns } from './Columns.tsx';
import { counted } from './Costs.tsx';
import type { User } from './connection.ts';
import { Export } from './Export.tsx';
import { valuesOf } from './edit.ts';
import { FilterAdder } from './FilterAdder.tsx';
import { isAttribute } from './filters.ts';
import { Nobody } from './Nobody.tsx';
import { Pager } from './Pager.tsx';
import { Popover } from './Popover.tsx';
import { useShared } from './shared.ts';
import { Trouble } from './Trouble.tsx';
import { UserTable } from './UserTable.tsx';
import { useReading } from './useReading.ts';
import { useTitle } from './useTitle.ts';
import { listQuery, type View } from './view.ts';

/** What a list was asked for, in words. */
const askedFor = ({ filters }: View): string =>
  [...(filters.q ?? []).map((text) => `“${text}”`), ...chipsOf({ filters }).map(([, , text]) => text)].join(', ');

/** The attributes that any user has who was shown, as properties. */
function useAttributes(users: readonly User[]): readonly string[] {
  const [seen, setSeen] = useState<readonly string[]>([]);
  useEffect(() => {
    const found = new Set(users.flatMap((user) => [...valuesOf(user).keys()].filter(isAttribute)));
    const fresh = [...found].filter((each) => !seen.includes(each));
    if (fresh.length > 0) setSeen([...seen, ...fresh].toSorted());
  }, [users, seen]);
  return seen;
}

const NONE: User[] = [];
const NOBODY: Chosen = new Set();

/** The number of users, what narrows the list, and the list. */
export function UserList() {
  const { connection, session, view, go, edits } = useShared();
  const asked = { page: view.page, size: view.size, ...listQuery(view) };
  const {
    value: page,
    failure,
    isLoading,
  } = useReading(`${edits} ${JSON.stringify(asked)}`, (signal) => connection.list(asked, signal));
  const attributes = useAttributes(page?.content ?? NONE);
  const total = page?.totalElements ?? 0;
  const [chosen, choose] = useState<Chosen>(NOBODY);
  const mayEdit = session.may('users:write') && session.may('users:read');
  // What is asked for is another list.
  useEffect(() => choose(NOBODY), [JSON.stringify(view.filters)]);
  const words = askedFor(view);
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
        <Chips />
        <Popover text="+ Filter" shortcut="f">
          {() => <FilterAdder attributes={attributes} />}
        </Popover>
        <span class="end hstack gap-2">
          <Columns attributes={attributes} />
          <Export total={total} filters={view.filters} />
          {session.may('users:write') && (
            <button type="button" aria-keyshortcuts="n" onClick={() => go({ user: 'new' })}>
              New user
            </button>
          )}
        </span>
      </div>
      {chosen !== NOBODY && (chosen === 'all' || chosen.size > 0) && (
        <ChosenBar chosen={chosen} total={total} choose={choose} />
      )}
      {failure && <Trouble failure={failure} />}
      {!page && !failure && <p class="notice">Loading …</p>}
      {page && page.content.length === 0 && <Nobody total={total} words={words} />}
      {page && page.content.length > 0 && (
        <UserTable
          users={page.content}
          isBusy={isLoading || failure !== undefined}
          chosen={mayEdit ? chosen : undefined}
          choose={choose}
        />
      )}
      {page && <Pager page={page} />}
    </section>
  );
}
