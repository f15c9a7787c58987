import { ChangeList, Doings } from '../changes/ChangeList.tsx';
import { createFeed } from '../changes/feed.ts';
import { read, type ValueCounts } from '../data/connection.ts';
import { asStored, type Filters } from '../data/filters.ts';
import { shared } from '../data/state.ts';
import { counted, numberOf } from '../data/time.ts';
import { listAddress } from '../data/view.ts';
import { Empty } from '../list/Nobody.tsx';
import { variantOf, wordOf } from '../parts/parts.tsx';
import { useReading } from '../parts/useReading.tsx';
import { useMedia, useTitle } from '../parts/useWindow.ts';
import { may, settings } from '../session/session.ts';
import { Attention } from './Attention.tsx';
import { Countries } from './Countries.tsx';
import { NewUsers, sumOf, useNew } from './NewUsers.tsx';

/** "41 new today · 1,229 this week": from Monday on. Days are those of UTC. */
function NewLately() {
  const { value } = useNew('day');
  if (!value) return null;
  const today = value.columns.at(-1);
  const weekday = (new Date(today?.from ?? 0).getUTCDay() + 6) % 7;
  const week = sumOf(value.columns.slice(-1 - weekday));
  return (
    <small class="end">
      {numberOf(today?.count ?? 0)} new today<span class="wide"> · {numberOf(week)} this week</span>
    </small>
  );
}

/** Statuses that are shown by themselves. The rest are one. */
const STATUSES = 7;

interface Segment {
  text: string;
  kind: string;
  count: number;
  filters: Filters;
}

/** The colour of each status, the same however it is written. Of those without one the first is grey, and the others pale. */
function kindsOf(texts: readonly string[]): string[] {
  const grey = texts.find((text) => variantOf(text) === 'secondary') ?? '';
  const isPale = (text: string) => variantOf(text) === 'secondary' && wordOf(text) !== wordOf(grey);
  return texts.map((text) => (isPale(text) ? 'pale' : variantOf(text)));
}

/** The statuses, the largest first, then the rest, then the users without one. */
function segmentsOf({ counts, total }: ValueCounts): Segment[] {
  const none = counts.find(({ status }) => status === undefined)?.count ?? 0;
  const known = counts.flatMap(({ status, count }) => (status === undefined ? [] : [{ status, count }]));
  const shown = known.length > STATUSES + 1 ? known.slice(0, STATUSES) : known;
  const statuses = shown.map(({ status }) => status);
  const rest = total - none - shown.reduce((sum, { count }) => sum + count, 0);
  const kinds = kindsOf(statuses);
  return [
    ...shown.map(({ status, count }, at) => ({
      ...{ text: status, kind: kinds[at] ?? '', count, filters: { status: [status] } },
    })),
    {
      ...{ text: 'others', kind: 'pale', count: rest },
      filters: { 'status.not': statuses, 'status.missing': ['false'] },
    },
    { text: 'no status', kind: 'none', count: none, filters: { 'status.missing': ['true'] } },
  ].filter(({ count }) => count > 0);
}

/** A segment for each status, which leads to its users, and under it what it is. */
function StatusBar({ counts }: { counts: ValueCounts }) {
  const segments = segmentsOf(counts).map((segment) => ({ ...segment, href: listAddress(segment.filters) }));
  return (
    <>
      <ul class="parts unstyled" aria-label="By status">
        {segments.map(({ text, kind, count, href }) => {
          const name = `${text}, ${counted(count, 'user')}`;
          return (
            <li key={text + kind} style={{ flexGrow: count }}>
              <a href={href} title={name}>
                <i class={`part of-${kind}`} />
                <span class="unseen">{name}</span>
              </a>
            </li>
          );
        })}
      </ul>
      {/* The same links once more, for a mouse: a segment may be narrow. */}
      <ul class="legend unstyled" aria-hidden="true">
        {segments.map(({ text, kind, count, href }) => (
          <li key={text + kind}>
            <a href={href} class="unstyled" tabIndex={-1} title={text}>
              <i class={`dot of-${kind}`} />
              <span dir="auto">{kind === 'none' ? <em>{text}</em> : asStored(text)}</span>
              <b>{numberOf(count)}</b>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Lines on a phone, and in other windows. */
const [FEW, MORE] = [6, 12];

/** The last changes. */
function LastChanges() {
  const most = useMedia('(width <= 48rem)') ? FEW : MORE;
  const { value, trouble } = useReading(String(shared.edits), (signal) => createFeed().readBack(signal));
  return (
    <section class="last">
      <header class="hstack">
        <h2>What happened</h2>
        <a class="end" href="#show=changes">
          All
        </a>
      </header>
      {trouble}
      {value && <Doings changes={value.changes} />}
      {value && <ChangeList changes={value.changes} isWhole={value.before === undefined} most={most} />}
      {value?.changes.length === 0 && <p>Nothing that is kept.</p>}
    </section>
  );
}

/** The first screen: how many users there are and of what kind, who needs attention, what happened last. Each number leads to its users. */
export function Overview() {
  const { value: counts, trouble } = useReading(String(shared.edits), (signal) =>
    read<ValueCounts>('/counts', { by: 'status' }, signal),
  );
  useTitle('screen', 'Overview');
  if (counts?.total === 0) return <Empty />;
  return (
    <div class="overview">
      <section class="total">
        {trouble}
        {counts && (
          <>
            <header class="hstack">
              <h2>
                <a class="unstyled" href={listAddress()}>
                  <b>{numberOf(counts.total)}</b> users
                </a>
              </h2>
              <NewLately />
            </header>
            <StatusBar counts={counts} />
          </>
        )}
      </section>
      <NewUsers />
      <Countries />
      <Attention />
      {may('users:audit') && settings.historyDays > 0 && <LastChanges />}
    </div>
  );
}
