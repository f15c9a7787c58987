import type { ComponentProps } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { listed } from '../card/neighbours.ts';
import { ask, isOffline, type Page, type Query } from '../data/connection.ts';
import { kindOf, shownKinds, valuesOf } from '../data/edit.ts';
import { type Filters, isAttribute, namedFilters, short, wordsOf } from '../data/filters.ts';
import { go, shared, view } from '../data/state.ts';
import { tasks } from '../data/task.ts';
import { counted } from '../data/time.ts';
import { listQuery } from '../data/view.ts';
import { ProgressBar, ProgressPanel } from '../many/Progress.tsx';
import { Button, Popover } from '../parts/parts.tsx';
import { Refresh } from '../parts/Refresh.tsx';
import { useReading } from '../parts/useReading.tsx';
import { useKey, useTitle } from '../parts/useWindow.ts';
import { type Chosen, ChosenBar } from './ChosenBar.tsx';
import { Chips, FilterAdder } from './Filters.tsx';
import { Empty, Nobody } from './Nobody.tsx';
import { Pager } from './Pager.tsx';
import { Tools } from './Tools.tsx';
import { UserTable } from './UserTable.tsx';
import { Views } from './Views.tsx';

const NOBODY: Chosen = new Set();

/** A page of a list, with what was asked: what is said of it is said of this one, whatever is on its way. */
interface Reading {
  page: Page;
  etag: string;
  query: Query;
  filters: Filters;
}

async function readList(query: Query, filters: Filters, signal: AbortSignal): Promise<Reading> {
  const response = await ask('GET', '', { query, signal });
  return { page: await response.json(), etag: response.headers.get('etag') ?? '', query, filters };
}

/** How many users more there are by now, by a HEAD with the tag of what is shown. None more: something else is different. */
async function newerThan({ page, etag, query }: Reading, signal: AbortSignal): Promise<number | undefined> {
  const response = await ask('HEAD', '', { query, headers: { 'if-none-match': etag }, signal, isQuiet: true });
  if (response.status === 304) return undefined;
  return Number(response.headers.get('x-total-count')) - page.totalElements;
}

interface HeadingProps {
  reading: Reading | undefined;
  isLoading: boolean;
  attributes: readonly string[];
  reload(): void;
}

/** The number of users who are shown, what narrows the list, and what can be done with it. */
function Heading({ reading, isLoading, attributes, reload }: HeadingProps) {
  const words = wordsOf(reading?.filters ?? {});
  const asked = wordsOf(view.filters);
  const total = reading?.page.totalElements ?? 0;
  const count = reading ? counted(total, 'user') : 'Users';
  useTitle('screen', words === '' ? count : `${count}: ${words}`);
  return (
    <div class="bar hstack heading">
      <h2>
        <output aria-busy={isLoading}>
          {count}
          <span class="unseen">{words === '' ? '' : ` with ${words}`}</span>
        </output>
      </h2>
      <Chips />
      <Popover sign="plus" text="Filter" name="+ Filter" aria-keyshortcuts="f" data-key="f">
        {() => <FilterAdder attributes={attributes} total={total} />}
      </Popover>
      {namedFilters(view.filters).length > 1 && (
        <Button text="Clear" class="ghost" onClick={() => go({ filters: {}, page: '' })} />
      )}
      {/* After all that can be clicked: a line that comes and goes moves nothing. */}
      {isLoading && words !== asked && (
        <small class="searching" role="status">
          Searching {short(asked) || 'all'} …
        </small>
      )}
      {reading && !isLoading && (
        <Refresh key={reading.etag} look={(signal) => newerThan(reading, signal)} reload={reload} />
      )}
      <Tools attributes={attributes} />
    </div>
  );
}

/** The known attributes, with those that users of a page have. */
const attributesWith = (page: Page | undefined): string[] => {
  for (const [name, value] of page?.content.flatMap((user) => [...valuesOf(user)]) ?? [])
    if (isAttribute(name)) shownKinds.set(name, kindOf(value));
  return [...shownKinds.keys()].toSorted();
};

interface RowsProps
  extends Omit<ComponentProps<typeof UserTable>, 'users'>,
    Pick<Reading, 'page' | 'filters' | 'query'> {}

/** The users of a page, or why there are none. */
function Rows({ page, filters, query, ...others }: RowsProps) {
  const { content: users, totalElements } = page;
  // Another page, or another list, begins at its top.
  useEffect(() => document.querySelector('.table')?.scrollTo({ top: 0 }), [JSON.stringify(query)]);
  if (totalElements === 0) return <Nobody filters={filters} />;
  return (
    <>
      {users.length > 0 && <UserTable users={users} {...others} />}
      {users.length === 0 && <p class="notice bar">The list ends before this page.</p>}
      <Pager page={page} />
    </>
  );
}

const openFilters = () => document.querySelector<HTMLElement>('[data-key="f"]')?.click();

/** The number of users, what narrows the list, and the list. */
export function UserList() {
  const asked = { page: view.page, size: view.size, ...listQuery(view) };
  const { filters } = view;
  const key = `${shared.edits} ${JSON.stringify(asked)}`;
  const { value, failure, isLoading, reload, trouble } = useReading(key, (signal) => readList(asked, filters, signal));
  const page = value?.page;
  const attributes = attributesWith(page);
  const total = page?.totalElements ?? 0;
  const [chosen, choose] = useState<Chosen>(NOBODY);
  // With other filters it is another list.
  useEffect(() => choose(NOBODY), [JSON.stringify(filters)]);
  useEffect(() => {
    if (!isLoading) listed(page);
    return () => listed(undefined);
  }, [page, isLoading]);
  useKey('f', openFilters);
  // The overview has asked for it.
  useEffect(() => {
    if (shared.filtering !== undefined) openFilters();
  }, []);
  const { now: task, isShown } = tasks;
  // The panel of a task is closed: its bar takes the place.
  const isAway = task !== undefined && !isShown;
  if (page && total === 0 && wordsOf(value.filters) === '') return <Empty />;
  return (
    <section class="list" aria-label="List">
      <Heading reading={value} isLoading={isLoading} attributes={attributes} reload={reload} />
      <div class="strip">
        <Views />
        {isAway && <ProgressBar task={task} />}
        {(chosen === 'all' || chosen.size > 0) && page && !isAway && (
          <ChosenBar chosen={chosen} total={total} attributes={attributes} choose={choose} />
        )}
      </div>
      {task && isShown && <ProgressPanel task={task} />}
      {trouble}
      {value && (
        <Rows {...value} isBusy={isLoading || failure !== undefined || isOffline()} chosen={chosen} choose={choose} />
      )}
    </section>
  );
}
