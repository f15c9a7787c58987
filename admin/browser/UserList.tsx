import { useEffect, useState } from 'preact/hooks';
import { type Chosen, ChosenBar } from './ChosenBar.tsx';
import { Columns } from './Columns.tsx';
import { ask, isOffline, type Page, type Query } from './connection.ts';
import { Export } from './Export.tsx';
import { valuesOf } from './edit.ts';
import { Chips, FilterAdder } from './Filters.tsx';
import { type Filters, isAttribute, namedFilters } from './filters.ts';
import { Icon } from './icons.tsx';
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
import { Views } from './Views.tsx';
import { listQuery } from './view.ts';

const NOBODY: Chosen = new Set();

/** A page of a list, with what was asked: what is said of it is said of this one, whatever is on its way. */
interface Reading {
  page: Page;
  etag: string;
  query: Query;
  words: string;
}

async function readList(query: Query, filters: Filters, signal: AbortSignal): Promise<Reading> {
  const response = await ask('GET', '', { query, signal });
  const etag = response.headers.get('etag') ?? '';
  return { page: await response.json(), etag, query, words: wordsOf(filters) };
}

/** The filters of a list, in words. */
const wordsOf = (filters: Filters): string =>
  namedFilters(filters)
    .map(({ text }) => text)
    .join(', ');

/** Says that the list is not as it is shown any more, or offers to read it again. */
const Refresh = ({ newer, reload }: { newer: Newer; reload(): void }) => {
  if (newer === undefined) {
    return <Button text={<Icon of="refresh" />} class="ghost refresh" name="Read again" onClick={reload} />;
  }
  const text = newer === 'changed' ? 'changed' : `${numberOf(newer)} new`;
  const name = newer === 'changed' ? 'Something has changed: read again' : `${text}: show them`;
  return (
    <Button
      text={
        <>
          <Icon of="refresh" /> {text}
        </>
      }
      class="newer"
      name={name}
      onClick={reload}
    />
  );
};

interface HeadingProps {
  reading: Reading | undefined;
  isLoading: boolean;
  attributes: readonly string[];
  newer: Newer;
  reload(): void;
}

/** The number of users who are shown, what narrows the list, and what can be done with it. */
function Heading({ reading, isLoading, attributes, newer, reload }: HeadingProps) {
  const { page, words = '' } = reading ?? {};
  const { filters } = view;
  const count = page ? counted(page.totalElements, 'user') : 'Users';
  useTitle('screen', words === '' ? count : `${count}: ${words}`);
  return (
    <div class="bar hstack heading">
      <h2>
        <output aria-busy={isLoading}>
          {count}
          <span class="unseen">{words === '' ? '' : ` with ${words}`}</span>
        </output>
      </h2>
      {isLoading && words !== wordsOf(filters) && (
        <small class="searching" role="status">
          Searching {wordsOf(filters) || 'all'} …
        </small>
      )}
      {page && !isLoading && <Refresh newer={newer} reload={reload} />}
      <Chips />
      <Popover
        text={
          <>
            <Icon of="plus" /> Filter
          </>
        }
        name="+ Filter"
        aria-keyshortcuts="f"
        data-key="f"
      >
        {() => <FilterAdder attributes={attributes} />}
      </Popover>
      {namedFilters(filters).length > 1 && (
        <Button text="Clear" class="ghost" onClick={() => go({ filters: {}, page: '' })} />
      )}
      <span class="end hstack gap-2">
        <Columns attributes={attributes} />
        <Export filters={filters} />
        {may('users:write') && (
          <button
            type="button"
            aria-label="New user"
            disabled={isOffline()}
            onClick={() => go({ user: 'new', at: '' })}
          >
            <Short text="New user" sign="+" />
          </button>
        )}
      </span>
    </div>
  );
}

/** The part that is shown where there are no rows. */
function NoRows({ page, words }: { page: Page; words: string }) {
  if (page.totalElements > 0) return <p class="notice bar">The list ends before this page.</p>;
  return words === '' ? <Empty /> : <Nobody words={words} />;
}

/** The attributes that users of a page have. */
const attributesIn = (page: Page | undefined): string[] => {
  const all = page?.content.flatMap((user) => [...valuesOf(user).keys()].filter(isAttribute));
  return [...new Set(all)].toSorted();
};

/** The number of users, what narrows the list, and the list. */
export function UserList() {
  const asked = { page: view.page, size: view.size, ...listQuery(view) };
  const { filters } = view;
  const key = `${shared.edits} ${JSON.stringify(asked)}`;
  const reading = useReading(key, (signal) => readList(asked, filters, signal));
  const { value, failure, isLoading, reload, trouble } = reading;
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
  const newer = useNewer(value?.query ?? {}, value && !isLoading ? { etag: value.etag, total } : undefined);
  const openFilters = () => document.querySelector<HTMLElement>('[data-key="f"]')?.click();
  useKey('f', openFilters);
  // The overview has asked for it.
  useEffect(() => {
    if (shared.filtering !== undefined) openFilters();
  }, []);
  const { now: task, isShown } = tasks;
  const isChosen = chosen === 'all' || chosen.size > 0;
  // The panel of a task is closed: its bar takes the place.
  const isAway = task !== undefined && !isShown;
  const hasRows = page !== undefined && page.content.length > 0;
  return (
    <section class="list" aria-label="List">
      <Heading reading={value} isLoading={isLoading} attributes={attributes} newer={newer} reload={reload} />
      <div class="strip">
        <Views />
        {isAway && <ProgressBar task={task} />}
        {isChosen && page && !isAway && (
          <ChosenBar chosen={chosen} total={total} attributes={attributes} choose={choose} />
        )}
      </div>
      {task && isShown && <ProgressPanel task={task} />}
      {trouble}
      {page && !hasRows && <NoRows page={page} words={value?.words ?? ''} />}
      {hasRows && (
        <UserTable users={page.content} isBusy={isLoading || failure !== undefined} chosen={chosen} choose={choose} />
      )}
      {page && <Pager page={page} />}
    </section>
  );
}
