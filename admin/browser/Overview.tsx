import type { ComponentChildren } from 'preact';
import { useCallback } from 'preact/hooks';
import { FEW_FIELDS, type FewField } from '../../lib/users/fields.ts';
import { ChangeLine } from './ChangeLine.tsx';
import type { Connection } from './connection.ts';
import { Days, firstDay } from './Days.tsx';
import { labelOf } from './filters.ts';
import type { Session } from './session.ts';
import { Trouble } from './Trouble.tsx';
import { countryOf, dateDaysAgo, numberOf, timeOf } from './time.ts';
import { useReading } from './useReading.ts';
import { listAddress } from './view.ts';

/** Changes that are shown. */
const MOST = 8;

type Counts = readonly (Partial<Record<FewField, string>> & { count: number })[];

/** How many users each value of a field has, of counts by several fields. The largest first. */
function barsOf(counts: Counts, field: FewField): [value: string | undefined, count: number][] {
  const sums = new Map<string | undefined, number>();
  for (const { count, ...values } of counts) sums.set(values[field], (sums.get(values[field]) ?? 0) + count);
  return [...sums].sort(([, a], [, b]) => b - a);
}

/** Counts by both fields come in one request, unless they are too many for one. */
async function readNumbers(connection: Connection, signal: AbortSignal) {
  const [both, { counts }] = await Promise.all([
    connection.counts({ by: [...FEW_FIELDS] }, signal),
    connection.counts({ by: ['createdAt.day'], 'createdAt.gte': firstDay() }, signal),
  ]);
  const days = new Map(counts.map(({ 'createdAt.day': day, count }) => [day, count]));
  const countsBy = async (field: FewField) => (both.others ? connection.counts({ by: [field] }, signal) : both);
  const bars = FEW_FIELDS.map(async (field) => ({ field, bars: barsOf((await countsBy(field)).counts, field) }));
  return { total: both.total, days, fields: await Promise.all(bars) };
}

function Bars({ field, bars }: { field: FewField; bars: ReturnType<typeof barsOf> }) {
  const [[, most] = ['', 1]] = bars;
  const lines = bars.map(([value, count]) => (
    <li key={value ?? ''}>
      <a
        class="unstyled"
        href={listAddress(value === undefined ? { [`${field}.missing`]: ['true'] } : { [field]: [value] })}
      >
        <span class="hstack justify-between">
          {value === undefined ? <i>no value</i> : (countryOf(value) ?? value)} <b>{numberOf(count)}</b>
        </span>
        <progress aria-hidden="true" max={most} value={count} />
      </a>
    </li>
  ));
  return (
    <section class="col-3 bars">
      <h2>By {labelOf(field).toLowerCase()}</h2>
      <ul class="unstyled">{lines}</ul>
    </section>
  );
}

function LastChanges({ connection, session }: { connection: Connection; session: Session }) {
  const read = useCallback(
    (signal: AbortSignal) => connection.changes({ before: 'now', size: MOST }, signal),
    [connection],
  );
  const { value: last, failure } = useReading(read);
  return (
    <section class="col-6 changes">
      <h2>
        <a class="unstyled" href="#show=changes">
          What happened
        </a>
      </h2>
      {failure && <Trouble failure={failure} session={session} />}
      <ol class="unstyled">
        {last?.changes.map((change) => (
          <ChangeLine key={`${change.id} ${change.version}`} change={change} time={timeOf(change.at)} />
        ))}
      </ol>
    </section>
  );
}

interface Props {
  connection: Connection;
  session: Session;
  /** Counts what was changed here: with another number everything is read again. */
  edits: number;
  /** What to show of a stage without users. */
  empty: ComponentChildren;
}

/** The first screen: how many users there are, and of what kind, and what happened last. */
export function Overview({ connection, session, edits, empty }: Props) {
  const read = useCallback((signal: AbortSignal) => readNumbers(connection, signal), [connection, edits]);
  const { value: numbers, failure } = useReading(read);
  if (failure) return <Trouble failure={failure} session={session} />;
  if (!numbers) return <p class="notice">Loading …</p>;
  const since = dateDaysAgo(6);
  const fresh = [...numbers.days].reduce((sum, [day = '', count]) => sum + (day < since ? 0 : count), 0);
  return (
    <div class="container row">
      <p class="col-3 totals">
        <a class="unstyled" href={listAddress()}>
          <b>{numberOf(numbers.total)}</b> users
        </a>
      </p>
      <div class="col-3 totals">
        <a class="unstyled" href={listAddress({ 'createdAt.gte': [since] })}>
          <b>{numberOf(fresh)}</b> new in the last seven days
        </a>
      </div>
      <div class="col-6">
        <Days counts={numbers.days} />
      </div>
      {numbers.total === 0 ? empty : numbers.fields.map((counted) => <Bars key={counted.field} {...counted} />)}
      {session.may('users:audit') && <LastChanges connection={connection} session={session} />}
    </div>
  );
}
