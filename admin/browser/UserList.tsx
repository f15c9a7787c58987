import { Chips, chipsOf } from './Chips.tsx';
import { Columns } from './Columns.tsx';
import { Export } from './Export.tsx';
import { FilterAdder } from './FilterAdder.tsx';
import { Nobody } from './Nobody.tsx';
import { Pager } from './Pager.tsx';
import { Popover } from './Popover.tsx';
import { useShared } from './shared.ts';
import { Trouble } from './Trouble.tsx';
import { numberOf } from './time.ts';
import { UserTable } from './UserTable.tsx';
import { useReading } from './useReading.ts';
import { useTitle } from './useTitle.ts';
import { listQuery, type View } from './view.ts';

/** What a list was asked for, in words. */
const askedFor = ({ filters }: View): string =>
  [...(filters.q ?? []).map((text) => `“${text}”`), ...chipsOf({ filters }).map(([, , text]) => text)].join(', ');

/** The number of users, what narrows the list, and the list. */
export function UserList() {
  const { connection, session, view, go, edits } = useShared();
  const asked = { page: view.page, size: view.size, ...listQuery(view) };
  const {
    value: page,
    failure,
    isLoading,
  } = useReading(`${edits} ${JSON.stringify(asked)}`, (signal) => connection.list(asked, signal));
  const total = page?.totalElements ?? 0;
  const words = askedFor(view);
  const count = page ? `${numberOf(total)} ${total === 1 ? 'user' : 'users'}` : 'Users';
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
          {() => <FilterAdder />}
        </Popover>
        <span class="end hstack gap-2">
          <Columns />
          <Export total={total} />
          {session.may('users:write') && (
            <button type="button" aria-keyshortcuts="n" onClick={() => go({ user: 'new' })}>
              New user
            </button>
          )}
        </span>
      </div>
      {failure && <Trouble failure={failure} />}
      {!page && !failure && <p class="notice">Loading …</p>}
      {page && page.content.length === 0 && <Nobody total={total} words={words} />}
      {page && page.content.length > 0 && (
        <UserTable users={page.content} isBusy={isLoading || failure !== undefined} />
      )}
      {page && <Pager page={page} />}
    </section>
  );
}
