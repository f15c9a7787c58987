import type { ComponentProps } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Chosen, ChosenBar } from './ChosenBar.tsx';
import { Columns } from './Columns.tsx';
import { ask, isOffline, type Page, type Query } from './connection.ts';
import { useExport } from './Export.tsx';
import { valuesOf } from './edit.ts';
import { Chips, FilterAdder } from './Filters.tsx';
import { type Filters, isAttribute, namedFilters } from './filters.ts';
import { Empty, Nobody } from './Nobody.tsx';
import { listed } from './neighbours.ts';
import { Pager } from './Pager.tsx';
import { ProgressBar, ProgressPanel } from './Progress.tsx';
import { Button, Popover, Short } from './parts.tsx';
import { may } from './session.ts';
import { go, shared, view } from './state.ts';
import { tasks } from './task.ts';
import { counted, numberOf } from './time.ts';
import { UserTable } from './UserTable.tsx';
import { type Newer, useNewer } from './useNewer.ts';
import { useReading } from './useReading.tsx';
import { useKey, useTitle } from './useWindow.ts';
import { SaveView, Views } from './Views.tsx';
import { listQuery } from './view.ts';

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

/** The filters of a list, in words. */
const wordsOf = (filters: Filters): string =>
  namedFilters(filters)
    .map(({ text }) => text)
    .join(', ');

/** Says that the list is not as it is shown any more, or offers to read it again. */
function Refresh({ newer, reload }: { newer: Newer; reload(): void }) {
  if (newer === undefined) return <Button sign="refresh" class="ghost refresh" name="Read again" onClick={reload} />;
  const text = newer === 'changed' ? 'changed' : `${numberOf(newer)} new`;
  const name = newer === 'changed' ? 'Something has changed: read again' : `${text}: show them`;
  return <Button sign="refresh" text={text} class="newer" name={name} onClick={reload} />;
}

/** What can be done with the list, on a phone in a menu. */
function Tools({ attributes }: { attributes: readonly string[] }) {
  const { buttons, progress, isSaving } = useExport(view.filters);
  const columns = () => <Columns attributes={attributes} />;
  return (
    <span class="end hstack">
      {progress}
      <Popover sign="columns" text="Columns" class="outline wide" name="Columns and order">
        {columns}
      </Popover>
      {!isSaving && (
        <span class="joined wide">
          {buttons('outline')[0]}
          <Popover hasArrow name="Other exports">
            {(close) => buttons('ghost', close).slice(1)}
          </Popover>
        </span>
      )}
      <Popover sign="more" class="outline narrow" name="More of the list">
        {(close) => (
          <div class="vstack">
            {buttons('ghost', close)}
            <SaveView />
            {columns()}
          </div>
        )}
      </Popover>
      {may('users:write') && (
        <Button
          text={<Short text="New user" sign="plus" />}
          class=""
          name="New user"
          disabled={isOffline()}
          onClick={() => go({ user: 'new', at: '' })}
        />
      )}
    </span>
  );
}

interface HeadingProps {
  reading: Reading | undefined;
  isLoading: boolean;
  attributes: readonly string[];
  newer: Newer;
  reload(): void;
}

/** The number of users who are shown, what narrows the list, and what can be done with it. */
function Heading({ reading, isLoading, attributes, newer, reload }: HeadingProps) {
  const words = wordsOf(reading?.filters ?? {});
  const asked = wordsOf(view.filters);
  const count = reading ? counted(reading.page.totalElements, 'user') : 'Users';
  useTitle('screen', words === '' ? count : `${count}: ${words}`);
  return (
    <div class="bar hstack heading">
      <h2>
        <output aria-busy={isLoading}>
          {count}
          <span class="unseen">{words === '' ? '' : ` with ${words}`}</span>
        </output>
      </h2>
      {isLoading && words !== asked && (
        <small class="searching" role="status">
          Searching {asked || 'all'} …
        </small>
      )}
      {reading && !isLoading && <Refresh newer={newer} reload={reload} />}
      <Chips />
      <Popover sign="plus" text="Filter" name="+ Filter" aria-keyshortcuts="f" data-key="f">
        {() => <FilterAdder attributes={attributes} />}
      </Popover>
      {namedFilters(view.filters).length > 1 && (
        <Button text="Clear" class="ghost" onClick={() => go({ filters: {}, page: '' })} />
      )}
      <Tools attributes={attributes} />
    </div>
  );
}

/** The attributes that users of a page have. */
const attributesIn = (page: Page | undefined): string[] => {
  const all = page?.content.flatMap((user) => [...valuesOf(user).keys()].filter(isAttribute));
  return [...new Set(all)].toSorted();
};

interface RowsProps extends Omit<ComponentProps<typeof UserTable>, 'users'>, Pick<Reading, 'page' | 'filters'> {}

/** The users of a page, or why there are none. */
function Rows({ page, filters, ...others }: RowsProps) {
  const { content: users, totalElements } = page;
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
  const attributes = attributesIn(page);
  const total = page?.totalElements ?? 0;
  const [chosen, choose] = useState<Chosen>(NOBODY);
  // With other filters it is another list.
  useEffect(() => choose(NOBODY), [JSON.stringify(filters)]);
  useEffect(() => {
    if (!isLoading) listed(page);
    return () => listed(undefined);
  }, [page, isLoading]);
  const newer = useNewer(value?.query ?? {}, isLoading ? '' : (value?.etag ?? ''), total);
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
      <Heading reading={value} isLoading={isLoading} attributes={attributes} newer={newer} reload={reload} />
      <div class="strip">
        <Views />
        {isAway && <ProgressBar task={task} />}
        {(chosen === 'all' || chosen.size > 0) && page && !isAway && (
          <ChosenBar chosen={chosen} total={total} attributes={attributes} choose={choose} />
        )}
      </div>
      {task && isShown && <ProgressPanel task={task} />}
      {trouble}
      {value && <Rows {...value} isBusy={isLoading || failure !== undefined} chosen={chosen} choose={choose} />}
    </section>
  );
}
